//! Figures that other programs have published, from the same counts.

use super::*;

const EVEN: (f64, f64) = (0.05, 0.05);
const UNEVEN: (f64, f64) = (0.05, 0.1);

/// A published log-likelihood ratio. Where nothing else is said, two digits of it.
struct Ratio {
    source: &'static str,
    model: EloModel,
    elo: (f64, f64),
    errors: (f64, f64),
    counts: [u64; 5],
    llr: f64,
    tolerance: f64,
}

const fn ratio(source: &'static str, model: EloModel, elo: (f64, f64), counts: [u64; 5], llr: f64) -> Ratio {
    Ratio { source, model, elo, errors: EVEN, counts, llr, tolerance: 0.005 + 1e-9 }
}

const RATIOS: &[Ratio] = &[
    // Logistic bounds, as fishtest had them from the end of 2019 to 2021.
    ratio("Stockfish PR 2493, STC", EloModel::Logistic, (-1.0, 3.0), [424, 2948, 5832, 3045, 460], 2.94),
    ratio("Stockfish PR 2950, STC", EloModel::Logistic, (-0.5, 1.5), [133, 1751, 5094, 1849, 165], 2.94),
    ratio("Stockfish PR 2950, LTC", EloModel::Logistic, (0.25, 1.75), [149, 4748, 32_785, 5063, 159], 2.95),
    ratio("Stockfish PR 2971, STC", EloModel::Logistic, (-0.5, 1.5), [17, 253, 1042, 337, 39], 2.96),
    ratio("Stockfish PR 3098, STC", EloModel::Logistic, (-0.25, 1.25), [491, 7345, 29_693, 7670, 465], 2.96),
    ratio("Stockfish PR 3103, STC", EloModel::Logistic, (-1.25, 0.25), [293, 5085, 20_082, 5070, 326], 2.95),
    ratio("Stockfish PR 3209, LTC", EloModel::Logistic, (0.25, 1.25), [58, 3302, 33_130, 3518, 84], 2.97),
    // Normalized bounds, as fishtest has them now.
    ratio("Stockfish PR 3784, STC", EloModel::Normalized, (0.0, 2.5), [282, 11_637, 27_003, 12_044, 274], 2.94),
    ratio("Stockfish PR 3811, LTC", EloModel::Normalized, (0.5, 3.0), [6, 1821, 5079, 2025, 21], 2.94),
    ratio("Stockfish PR 3883, LTC", EloModel::Normalized, (0.5, 3.0), [106, 7887, 23_331, 8285, 95], 2.97),
    ratio("Stockfish PR 5712, STC", EloModel::Normalized, (0.0, 2.0), [831, 31_795, 68_460, 32_448, 834], 2.93),
    ratio("Stockfish PR 5712, LTC", EloModel::Normalized, (0.5, 2.5), [307, 54_901, 140_959, 56_230, 281], 2.95),
    ratio("Stockfish PR 6285, STC", EloModel::Normalized, (-1.75, 0.25), [289, 26_459, 62_934, 26_379, 331], 2.94),
    ratio("Stockfish PR 6616", EloModel::Normalized, (0.0, 2.0), [2, 1925, 6607, 2176, 2], 2.94),
    // Fastchess, which ends its iteration when no probability changes by 1e-4: its last digits are those of that.
    Ratio {
        tolerance: 1e-3,
        ..ratio("fastchess PR 783", EloModel::Normalized, (0.0, 2.0), [379, 10_170, 21_828, 10_640, 343], 2.945_98)
    },
    ratio("cinder PR 727", EloModel::Normalized, (0.0, 5.0), [50, 287, 610, 387, 73], 2.97),
    Ratio {
        errors: UNEVEN,
        ..ratio("cinder PR 836", EloModel::Normalized, (0.0, 3.0), [835, 6884, 13_116, 7201, 852], 2.89)
    },
    Ratio {
        errors: UNEVEN,
        ..ratio("Lynx PR 1899", EloModel::Logistic, (-5.0, 0.0), [235, 1384, 2521, 1341, 239], 1.69)
    },
    Ratio { errors: UNEVEN, ..ratio("princhess PR 343", EloModel::Normalized, (-5.0, 0.0), [1, 22, 52, 21, 4], 0.15) },
    ratio("fastchess sprt_test", EloModel::Normalized, (0.0, 2.0), [365, 16_618, 36_229, 16_974, 390], 2.25),
    ratio("fastchess sprt_test", EloModel::Normalized, (-1.75, 0.25), [127, 4883, 10_712, 5150, 104], 3.01),
    ratio("fastchess sprt_test", EloModel::Logistic, (0.5, 2.5), [223, 9863, 21_279, 10_037, 246], -3.07),
    ratio("fastchess sprt_test", EloModel::Logistic, (0.0, 2.0), [871, 26_175, 55_983, 26_678, 821], -4.98),
];

#[test]
fn log_likelihood_ratios_are_those_of_fishtest_and_fastchess() {
    for Ratio { source, model, elo, errors, counts, llr, tolerance } in RATIOS {
        let test = Sprt::new(elo.0, elo.1, errors.0, errors.1, *model).unwrap();
        let found = test.llr(&PairCounts(*counts));
        assert!((found - llr).abs() <= *tolerance, "{source}: {found}, published {llr}");
    }
}

/// What fastchess has printed: Elo, nElo and LOS (in percent), each with its error.
struct Printed {
    source: &'static str,
    counts: [u64; 5],
    elo: (f64, f64),
    nelo: (f64, f64),
    los: f64,
    draw_ratio: f64,
    pairs_ratio: f64,
}

const PRINTED: &[Printed] = &[
    Printed {
        source: "cinder PR 727",
        counts: [50, 287, 610, 387, 73],
        elo: (18.04, 8.23),
        nelo: (28.19, 12.84),
        los: 100.0,
        draw_ratio: 43.35,
        pairs_ratio: 1.36,
    },
    Printed {
        source: "cinder PR 836",
        counts: [835, 6884, 13_116, 7201, 852],
        elo: (2.11, 1.70),
        nelo: (3.52, 2.83),
        los: 99.25,
        draw_ratio: 45.40,
        pairs_ratio: 1.04,
    },
    Printed {
        source: "Lynx PR 1899",
        counts: [235, 1384, 2521, 1341, 239],
        elo: (-1.06, 4.05),
        nelo: (-1.67, 6.37),
        los: 30.33,
        draw_ratio: 44.07,
        pairs_ratio: 0.98,
    },
    Printed {
        source: "princhess PR 343",
        counts: [1, 22, 52, 21, 4],
        elo: (8.69, 27.04),
        nelo: (15.51, 48.15),
        los: 73.60,
        draw_ratio: 52.00,
        pairs_ratio: 1.09,
    },
    Printed {
        source: "fastchess issue 807",
        counts: [30, 6, 18, 0, 6],
        elo: (-168.40, 73.37),
        nelo: (-170.08, 62.16),
        los: 0.0,
        draw_ratio: 30.00,
        pairs_ratio: 0.17,
    },
];

#[test]
fn the_figures_of_pairs_are_those_of_fastchess() {
    for Printed { source, counts, elo, nelo, los, draw_ratio, pairs_ratio } in PRINTED {
        let counts = PairCounts(*counts);
        let (estimate, statistics) = (counts.estimate().unwrap(), PairStatistics::of(&counts).unwrap());
        for (found, printed) in [
            (estimate.elo, elo.0),
            (estimate.elo_error_95(), elo.1),
            (statistics.nelo, nelo.0),
            (statistics.nelo_error_95, nelo.1),
            (Some(100.0 * estimate.los), *los),
            (Some(100.0 * statistics.draw_ratio), *draw_ratio),
            (statistics.pairs_ratio, *pairs_ratio),
        ] {
            let found = found.unwrap();
            // Half a unit of the last digit.
            assert!((found - printed).abs() <= 0.005 + 1e-9, "{source}: {found}, printed {printed}");
        }
    }
}
