//! `--sprt`: a match that ends as soon as its result is clear.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::GAMES_OF_PAIR;
use super::record::GameRecord;
use crate::stats::{Decision, EloModel, Interval, PairCounts, Sprt, SprtError};

/// The games of a match that is to end by itself, unless `--games` says otherwise.
pub(super) const GAMES_DEFAULT: &str = "40000";

/// What `eval match` is asked for about a sequential test.
#[derive(Clone, Debug, clap::Args)]
pub struct SprtArgs {
    /// Stop as soon as the pairs speak clearly for a difference of ELO0 or of ELO1, as in 0,5 or -5,0
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<EloBounds>,
    /// The chance of finding for ELO1 where ELO0 is true
    #[arg(long, value_name = "A", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// The chance of finding for ELO0 where ELO1 is true
    #[arg(long, value_name = "B", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
    /// What ELO0 and ELO1 are: normalized by how much games vary, or the plain difference
    #[arg(long, value_name = "MODEL", value_enum, default_value_t, requires = "sprt")]
    elo_model: EloModel,
}

impl SprtArgs {
    /// The test that is asked for.
    pub(super) fn test(&self) -> Result<Option<Sprt>, SprtError> {
        let test = |&EloBounds(elo0, elo1): &EloBounds| Sprt::new(elo0, elo1, self.alpha, self.beta, self.elo_model);
        self.sprt.as_ref().map(test).transpose()
    }
}

/// The differences of the two hypotheses, as they are written.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EloBounds(f64, f64);

impl FromStr for EloBounds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<EloBounds, &'static str> {
        let bounds = text.split_once(',').and_then(|(elo0, elo1)| Some((elo0.parse().ok()?, elo1.parse().ok()?)));
        bounds.map(|(elo0, elo1)| EloBounds(elo0, elo1)).ok_or("expected two numbers with a comma between, as in 0,5")
    }
}

/// A sequential test of the pairs of a match, in the order of their numbers.
///
/// Games that run at the same time end in an order in which their results have a part: lost games may be short ones. A
/// test in that order, as fastchess and fishtest have it, would count those first and leave out those that are still being
/// played when it decides. So a pair counts here only when all before it do, and the pairs after the one that decides
/// count for nothing. What is decided, and when, then is the same with any number of threads.
pub(super) struct SequentialTest {
    test: Sprt,
    /// Results of games beyond the counted pairs: half points of the first player by the game's number.
    waiting: BTreeMap<usize, usize>,
    counts: PairCounts,
    llr: f64,
    decision: Decision,
}

impl SequentialTest {
    pub(super) fn new(test: Sprt) -> SequentialTest {
        let waiting = BTreeMap::new();
        SequentialTest { test, waiting, counts: PairCounts::default(), llr: 0.0, decision: Decision::Undecided }
    }

    /// Another game is over. Says what is decided by then.
    pub(super) fn add(&mut self, record: &GameRecord) -> Decision {
        self.waiting.insert(record.number, record.half_points_of_first());
        while self.decision == Decision::Undecided {
            let next = self.counted_games();
            let (Some(first), Some(second)) = (self.waiting.get(&next), self.waiting.get(&(next + 1))) else { break };
            self.counts.add(first + second);
            self.waiting = self.waiting.split_off(&(next + GAMES_OF_PAIR));
            self.llr = self.test.llr(&self.counts);
            self.decision = self.test.decision(self.llr);
        }
        self.decision
    }

    /// The games of the counted pairs, which are the first of the match.
    pub(super) fn counted_games(&self) -> usize {
        self.counts.pairs() as usize * GAMES_OF_PAIR
    }

    /// What a progress bar says.
    pub(super) fn note(&self) -> String {
        let Interval { low, high } = self.test.llr_bounds();
        format!(", llr {:.2} ({low:.2}, {high:.2})", self.llr)
    }

    pub(super) fn report(&self) -> SprtReport {
        SprtReport { test: self.test, llr_bounds: self.test.llr_bounds(), llr: self.llr, decision: self.decision }
    }
}

/// A sequential test and what it has found.
///
/// A match that ended by its test ended at a moment that suited the decision: its estimate leans that way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// What was tested.
    #[serde(flatten)]
    pub test: Sprt,
    /// Where the log-likelihood ratio decides.
    pub llr_bounds: Interval,
    /// The log-likelihood ratio of ELO1 against ELO0.
    pub llr: f64,
    /// What it decides.
    pub decision: Decision,
}

impl fmt::Display for SprtReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Interval { low, high }, (elo0, elo1)) = (self.llr_bounds, self.test.elo_bounds());
        // The share of the way to the bound that is nearer, as fastchess has it.
        let share = 100.0 * if self.llr < 0.0 { self.llr / low } else { self.llr / high };
        let decision = match self.decision {
            Decision::Undecided => "undecided",
            Decision::H0 => "H0 accepted",
            Decision::H1 => "H1 accepted",
        };
        let model = self.test.elo_model().name();
        write!(out, "{:.2} ({share:.1} %) ({low:.2}, {high:.2}) [{elo0:.2}, {elo1:.2}] {model}: {decision}", self.llr)
    }
}

#[cfg(test)]
mod tests {
    use heng_env::{Outcome, Reason, Side};

    use super::super::record::Ending;
    use super::*;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, EloModel::Logistic).unwrap()
    }

    /// The first player wins all games but each tenth.
    fn record(number: usize) -> GameRecord {
        let first = Side::BOTH[number % GAMES_OF_PAIR];
        let winner = if number % 10 == 9 { first.other() } else { first };
        let ending = Some(Ending::of(Outcome::win(winner, Reason::Points)));
        GameRecord { ending, ..GameRecord::new(number, String::new()) }
    }

    fn decided(order: impl Iterator<Item = usize>) -> (SprtReport, usize) {
        let mut sequential = SequentialTest::new(test(0.0, 50.0));
        for number in order {
            sequential.add(&record(number));
        }
        (sequential.report(), sequential.counted_games())
    }

    #[test]
    fn the_order_in_which_games_end_decides_nothing() {
        let (report, games) = decided(0..1000);
        assert_eq!(report.decision, Decision::H1);
        assert!(report.llr >= report.llr_bounds.high && games < 100, "{report} {games}");
        assert_eq!(decided((0..1000).rev()), (report, games));
        assert_eq!(decided((0..1000).map(|index| index * 7 % 1000)), (report, games));
        // One pair fewer does not decide.
        assert_eq!(decided(0..games - 1).0.decision, Decision::Undecided);
    }

    #[test]
    fn a_pair_waits_for_those_before_it() {
        let (report, games) = decided(2..1000);
        assert_eq!((report.decision, report.llr, games), (Decision::Undecided, 0.0, 0));
        assert_eq!(decided((2..1000).chain([1])).1, 0);
        assert!(decided((2..1000).chain([1, 0])).1 > 0);
    }

    #[test]
    fn bounds_are_two_numbers() {
        assert_eq!("-5,0".parse(), Ok(EloBounds(-5.0, 0.0)));
        assert_eq!("0.5,2.5".parse(), Ok(EloBounds(0.5, 2.5)));
        for text in ["", "5", "0;5", "0,", "0,5,7", "zero,5"] {
            assert!(text.parse::<EloBounds>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_report_says_how_far_the_ratio_is() {
        let report = SequentialTest::new(test(-5.0, 0.5)).report();
        assert_eq!(report.to_string(), "0.00 (0.0 %) (-2.94, 2.94) [-5.00, 0.50] logistic: undecided");
        let report = SprtReport { llr: -1.472_22, ..report };
        assert_eq!(report.to_string(), "-1.47 (50.0 %) (-2.94, 2.94) [-5.00, 0.50] logistic: undecided");
    }
}
