//! The page of the study.

mod turns;

use heng_env::{Notation, Side};

use self::turns::{board_of, first_turns};
use super::findings::{EVEN, Findings, LOPSIDED};
use super::games::{SAMPLED_LINES, SAMPLED_TURNS, TEMPERATURE};
use super::summary::{
    NAMED, Summary, best_for_black, best_for_red, budgets_in_words, fairest, percent, prediction_in_words,
};
use super::tables::{self, Board};
use super::words;
use crate::report::chart::{self, Axis, Kind, Line};
use crate::report::number::grouped;
use crate::signed::signed;
use crate::studies::heat::{Heat, Hue};
use crate::studies::histogram::{self, Bar};
use crate::studies::page::{Block, Drawing, Fact, Page, Section};

/// Bars of the histogram of values.
const VALUE_BARS: usize = 21;
/// Bounds of its axis, of which it takes the least that holds every value.
const VALUE_BOUNDS: [f64; 4] = [0.1, 0.2, 0.5, 1.0];

/// The page of a summary and the findings that it is made of.
pub(super) fn page<G: Notation>(summary: &Summary, findings: &Findings<'_, G>, board: Board) -> Page {
    let settings = &summary.settings;
    let sections = [
        Some(fairness(summary, findings)),
        Some(extremes(findings)),
        pieces(summary, findings, board),
        Some(layouts(findings, board)),
        Some(symmetry(findings)),
        first_turns(summary, findings, board),
        proofs(summary, findings),
        games(summary, findings),
    ];
    Page {
        title: "The set-ups of the small board".to_owned(),
        subtitle: format!(
            "{} by {}, {} a set-up, checked with {}, seed {}",
            settings.variant, settings.agent, settings.budget, settings.second_budget, settings.seed
        ),
        words: words::found(summary),
        facts: facts(summary),
        sections: sections.into_iter().flatten().collect(),
    }
}

fn facts(summary: &Summary) -> Vec<Fact> {
    let fact = |value: String, name: &str| Fact { value, name: name.to_owned() };
    let values = &summary.values;
    let proven = summary.proofs.red_wins + summary.proofs.draws + summary.proofs.black_wins;
    let mut facts = vec![
        fact(signed(values.mean), "mean value for red"),
        fact(percent(values.better_for_red), "of the set-ups are better for red"),
        fact(percent(values.even), "are even"),
        fact(percent(values.lopsided), "are lopsided"),
        fact(grouped(proven as u64), "have a proven result"),
    ];
    if let Some(games) = &summary.games {
        facts.push(fact(signed(games.mean_result.value), "mean result for red in games"));
    }
    facts
}

fn fairness<G: Notation>(summary: &Summary, findings: &Findings<'_, G>) -> Section {
    let largest = (0..findings.set_ups.len()).map(|index| findings.value(index).abs()).fold(0.0, f64::max);
    let bound = VALUE_BOUNDS.into_iter().find(|&bound| bound >= largest).unwrap_or(1.0);
    let width = 2.0 * bound / VALUE_BARS as f64;
    let bar = |index: usize| {
        let (low, high) = (-bound + index as f64 * width, -bound + (index + 1) as f64 * width);
        let is_in =
            |value: f64| ((value + bound) / width).floor().clamp(0.0, (VALUE_BARS - 1) as f64) as usize == index;
        let members = findings.set_ups.iter().enumerate().filter(|(place, _)| is_in(findings.value(*place)));
        let class = match index.cmp(&(VALUE_BARS / 2)) {
            std::cmp::Ordering::Less => "black",
            std::cmp::Ordering::Equal => "even",
            std::cmp::Ordering::Greater => "red",
        };
        let label = if index.is_multiple_of(VALUE_BARS / 4) { signed((low + high) / 2.0) } else { String::new() };
        let name = format!("{} to {}", signed(low), signed(high));
        Bar { label, name, count: members.map(|(_, set_up)| set_up.copies).sum(), class }
    };
    let bars: Vec<Bar> = (0..VALUE_BARS).map(bar).collect();
    let drawing = Drawing {
        title: "Set-ups by value for red".to_owned(),
        svg: histogram::draw(&bars, "value for red"),
        notes: vec!["Left of the middle black is better, right of it red; images counted.".to_owned()],
    };
    Section {
        title: "How fair is the game over its set-ups?".to_owned(),
        notes: vec![
            format!(
                "Values are what the agent expects for red: 1 is a certain win, -1 a certain loss. Even is within \
                 {EVEN} of 0, lopsided {LOPSIDED} or more from it."
            ),
            format!(
                "With {} in place of {}, {}.",
                summary.settings.second_budget,
                summary.settings.budget,
                budgets_in_words(&summary.budgets)
            ),
        ],
        blocks: vec![Block::charts(vec![drawing])],
    }
}

fn extremes<G: Notation>(findings: &Findings<'_, G>) -> Section {
    let boards = |indices: Vec<usize>, title: &str| {
        let drawing = |(place, index): (usize, usize)| {
            let values =
                format!("{}, second budget {}", signed(findings.value(index)), signed(findings.second_value(index)));
            let proof = findings.searched(index).proof.map(words::proof);
            let notes = [Some(values), proof, Some(format!("best: {}", findings.searched(index).best.text))];
            let title = format!("{title} {}", place + 1);
            Drawing { title, ..board_of(findings, index, notes.into_iter().flatten().collect()) }
        };
        Block::small(indices.into_iter().enumerate().map(drawing).collect())
    };
    Section {
        title: "The fairest and the most lopsided".to_owned(),
        notes: vec![format!(
            "{NAMED} of each, by the less extreme of the values within both budgets (for the fairest, the more \
             extreme one); of equal ones the nearest proof. The arrows show the best first turn found."
        )],
        blocks: vec![
            boards(fairest(findings), "Fairest"),
            boards(best_for_red(findings), "Best for red"),
            boards(best_for_black(findings), "Best for black"),
        ],
    }
}

fn pieces<G: Notation>(summary: &Summary, findings: &Findings<'_, G>, board: Board) -> Option<Section> {
    let (fit, pieces) = (findings.pieces.as_ref()?, summary.pieces.as_ref()?);
    let which = match summary.is_sample() {
        true => "The set-ups are a sample of all.",
        false => "These are all the set-ups there are, and no sample.",
    };
    let full = fit.effects.iter().map(|effect| effect.red_effect.abs()).fold(0.0, f64::max);
    let own_squares: Vec<usize> = fit.effects.iter().map(|effect| effect.own_square / board.files).collect();
    let (first, last) = (own_squares.iter().min()?, own_squares.iter().max()?);
    let mut drawings = Vec::new();
    for side in Side::BOTH {
        let mut letters: Vec<char> = fit.effects.iter().map(|effect| effect.letter).collect();
        letters.sort_unstable();
        letters.dedup();
        for letter in letters {
            let ranks = match side {
                Side::Red => *first..=*last,
                Side::Black => board.ranks - 1 - last..=board.ranks - 1 - first,
            };
            let mut values = vec![None; ranks.clone().count() * board.files];
            let mine = fit.effects.iter().filter(|effect| effect.side == side && effect.letter == letter);
            let mut widest = 0.0_f64;
            for effect in mine {
                let square = board.square(side, effect.own_square) - ranks.start() * board.files;
                values[square] = Some(effect.red_effect);
                widest = widest.max(effect.half_width);
            }
            let title = format!("{} {}", words::side_name::<G>(side), words::kind(letter));
            let svg = Heat {
                label: &title,
                files: board.files,
                first_rank: *ranks.start(),
                values: &values,
                full,
                hue: Hue::Signed,
                text: in_hundredths,
            }
            .draw();
            drawings.push(Drawing {
                title,
                svg,
                notes: vec![format!("in hundredths, each ± {:.1} at most", 100.0 * widest)],
            });
        }
    }
    Some(Section {
        title: "What each piece on each square is worth".to_owned(),
        notes: vec![
            format!(
                "The value for red as a sum of one number for each piece on its square, by least squares. A number \
                 says how much red's value rises if this piece stands there, against the mean over kinds and \
                 squares. Together they explain {} of the variance; what is left over has a standard deviation of \
                 {:.2}, and is how the pieces work together.",
                percent(pieces.r_squared),
                pieces.residual_deviation
            ),
            format!(
                "{which} The intervals (95 %) take what the sum leaves over for noise, and say how far the numbers \
                 would change if it fell differently. They know nothing of errors that the agent makes in all \
                 set-ups alike."
            ),
        ],
        blocks: vec![
            Block::small(drawings),
            Block::folded("All numbers with their intervals", tables::pieces(findings, board)),
        ],
    })
}

/// A number of a piece, short enough for a small square.
fn in_hundredths(value: f64) -> String {
    format!("{:+.1}", (value * 1000.0).round() / 10.0 + 0.0)
}

fn layouts<G: Notation>(findings: &Findings<'_, G>, board: Board) -> Section {
    Section {
        title: "Which layouts are good".to_owned(),
        notes: vec![
            "A layout against every layout of the other side: the mean value for its owner as red and as black. \
             Squares are those of red; a layout and its mirror image are one."
                .to_owned(),
        ],
        blocks: vec![Block::folded("All layouts, the best first", tables::layouts(findings, board))],
    }
}

fn symmetry<G: Notation>(findings: &Findings<'_, G>) -> Section {
    Section {
        title: "Symmetric set-ups against others".to_owned(),
        notes: vec![
            "Where both sides have the same layout, only the first move makes a difference: their mean value is what \
             it is worth."
                .to_owned(),
        ],
        blocks: vec![Block::table("", tables::groups(findings))],
    }
}

fn proofs<G: Notation>(summary: &Summary, findings: &Findings<'_, G>) -> Option<Section> {
    let counts = findings.proof_counts();
    if counts.is_empty() {
        return None;
    }
    let drawings =
        [(1, "red", "Won by red"), (-1, "black", "Won by black")].into_iter().filter_map(|(result, class, title)| {
            let mine: Vec<(u32, usize, bool)> = counts
                .iter()
                .filter(|((red_result, ..), _)| *red_result == result)
                .map(|(&(_, distance, in_turns), &count)| (distance, count, in_turns))
                .collect();
            let unit = if mine.first()?.2 { "turns of both sides" } else { "steps" };
            let bar = |&(distance, count, _): &(u32, usize, bool)| Bar {
                label: distance.to_string(),
                name: format!("{distance} {unit}"),
                count,
                class,
            };
            let bars: Vec<Bar> = mine.iter().map(bar).collect();
            Some(Drawing {
                title: title.to_owned(),
                svg: histogram::draw(&bars, &format!("{unit} to the end")),
                notes: vec![format!("{} set-ups, images counted", grouped(mine.iter().map(|row| row.1 as u64).sum()))],
            })
        });
    Some(Section {
        title: "Proven results".to_owned(),
        notes: vec![format!(
            "Where the search saw through to the end: {} set-ups won by red, {} by black, {} drawn. A proof holds \
             whoever plays; that there is none within this budget says nothing.",
            summary.proofs.red_wins, summary.proofs.black_wins, summary.proofs.draws
        )],
        blocks: vec![
            Block::charts(drawings.collect()),
            Block::folded("Set-ups by result and distance", tables::proofs(findings)),
        ],
    })
}

fn games<G: Notation>(summary: &Summary, findings: &Findings<'_, G>) -> Option<Section> {
    let games = summary.games.as_ref()?;
    let strata = findings.strata();
    let mut points: Vec<(f64, f64, f64, f64)> = strata
        .iter()
        .map(|stratum| (stratum.mean_value, stratum.result.value, stratum.result.low, stratum.result.high))
        .collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    let played = Line {
        label: "games".to_owned(),
        points: points.iter().map(|&(value, result, ..)| (value, Some(result))).collect(),
        intervals: points.iter().map(|&(value, _, low, high)| (value, low, high)).collect(),
    };
    let ends = [points.first()?.0, points.last()?.0];
    let expected =
        Line { label: "search".to_owned(), points: ends.map(|end| (end, Some(end))).to_vec(), intervals: Vec::new() };
    let axis = Axis { title: "value for red by search".to_owned(), is_counted: false };
    let svg = chart::draw("Mean result against value", Kind::Lines, &axis, &[played, expected])?;
    let drawing = Drawing {
        title: "Mean result for red against its value".to_owned(),
        svg,
        notes: vec![
            "Each point is a tenth of the set-ups by value, with the 95 % interval of its mean result (blue); on \
             the straight line (orange) results would be what the search expects."
                .to_owned(),
        ],
    };
    Some(Section {
        title: "Do games agree with the search?".to_owned(),
        notes: vec![
            format!(
                "{} games from {} set-ups, the same number from each tenth of them by value, by the agent against \
                 itself. In the first {SAMPLED_TURNS} turns steps are drawn among the {SAMPLED_LINES} best, one that \
                 is worth d less than the best with a chance exp(-d / {TEMPERATURE}) times as large; then the agent \
                 plays its best. Red won {}, drew {}, lost {}; {:.0} turns on average.",
                games.games, games.set_ups, games.red_wins, games.draws, games.black_wins, games.mean_turns
            ),
            format!(
                "How well values predict results: {}. {} of {} values lie within the 95 % interval of their games.",
                prediction_in_words(games),
                games.inside,
                games.set_ups
            ),
        ],
        blocks: vec![
            Block::charts(vec![drawing]),
            Block::table("By tenths of the value", tables::calibration(findings)),
            Block::folded("Every set-up that was played from", tables::sample(findings)),
        ],
    })
}
