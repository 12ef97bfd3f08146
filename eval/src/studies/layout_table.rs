//! Layouts of red against layouts of black: what a search thinks of each cell, and what pairs of games say.

use std::collections::BTreeMap;

use heng_env::{Notation, Purpose, Rng, Seeds};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::layout::{self, Layout};
use super::payoff::Measured;
use super::playing::{Ended, PlayedGame, Player};
use super::session::{Session, SessionError};
use crate::stats::PairCounts;

/// Turns after the placement in which the agent explores, so that games of one cell differ.
pub(crate) const EXPLORED_TURNS: usize = 4;

/// What is done for a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TablePlan {
    /// Pairs of games of each cell.
    pub(crate) pairs: usize,
    pub(crate) budget: Budget,
    pub(crate) second_budget: Budget,
    pub(crate) seed: u64,
}

/// What becomes of the two games of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairing {
    /// Black's layout is that of the table, and in the other game its mirror image: the cell stands for both.
    Mirrored,
    /// The same start twice, with other random numbers.
    Twice,
}

/// Red's layouts and black's, and how they meet.
#[derive(Clone, Debug)]
pub(crate) struct LayoutTable {
    /// Of which table of the study finished pieces belong to this one.
    pub(crate) name: String,
    /// The number of the table in its study, 0 to 255: each has its own random numbers.
    pub(crate) number: u8,
    pub(crate) red: Vec<Layout>,
    pub(crate) black: Vec<Layout>,
    /// The cells that are played, red's layout first.
    pub(crate) cells: Vec<[usize; 2]>,
    pub(crate) pairing: Pairing,
}

/// A finished piece of work on a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(crate) enum TablePiece {
    /// What a search expects of a cell for red, by both budgets.
    Value { table: String, cell: [usize; 2], red_value: Option<f64>, second_red_value: Option<f64> },
    /// A pair of games.
    Pair { table: String, cell: [usize; 2], pair: usize, games: [PlayedGame; 2] },
}

/// The line in which a piece is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TableLine {
    /// The only kind.
    Table(TablePiece),
}

/// What is known of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CellResult {
    /// What searches with both budgets expect for red, from -1 to 1.
    pub(crate) red_value: Option<f64>,
    pub(crate) second_red_value: Option<f64>,
    has_value: bool,
    /// The pairs by number.
    pub(crate) pairs: BTreeMap<usize, [PlayedGame; 2]>,
}

/// The mean result of some pairs for red, from -1 to 1, with its 95 % interval; nothing without pairs.
pub(crate) fn mean_of_pairs<'a>(pairs: impl IntoIterator<Item = &'a [PlayedGame; 2]>) -> Option<Measured> {
    let mut counts = PairCounts::default();
    for pair in pairs {
        counts.add(pair.iter().map(|game| usize::from(game.red_half_points)).sum());
    }
    let estimate = counts.estimate()?;
    let scaled = |score: f64| 2.0 * score - 1.0;
    Some(Measured {
        value: scaled(estimate.score),
        low: scaled(estimate.score_95.low),
        high: scaled(estimate.score_95.high),
    })
}

/// The results of a table by cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TableResults(BTreeMap<[usize; 2], CellResult>);

impl TableResults {
    /// Adds a piece that belongs to this table.
    pub(crate) fn add(&mut self, piece: TablePiece) {
        match piece {
            TablePiece::Value { cell, red_value, second_red_value, .. } => {
                let result = self.0.entry(cell).or_default();
                (result.red_value, result.second_red_value, result.has_value) = (red_value, second_red_value, true);
            }
            TablePiece::Pair { cell, pair, games, .. } => {
                self.0.entry(cell).or_default().pairs.insert(pair, games);
            }
        }
    }

    /// What is known of a cell.
    pub(crate) fn cell(&self, cell: [usize; 2]) -> Option<&CellResult> {
        self.0.get(&cell)
    }

    /// The cells in order.
    pub(crate) fn cells(&self) -> impl Iterator<Item = ([usize; 2], &CellResult)> {
        self.0.iter().map(|(&cell, result)| (cell, result))
    }

    /// The expected results for red by the first or the second budget; nothing if one is not known.
    pub(crate) fn values(&self, size: [usize; 2], of: fn(&CellResult) -> Option<f64>) -> Option<Array2<f64>> {
        let cell = |index: usize| self.cell([index / size[1], index % size[1]]).and_then(of);
        let values: Option<Vec<f64>> = (0..size[0] * size[1]).map(cell).collect();
        Array2::from_shape_vec(size, values?).ok()
    }
}

/// A piece of work that is to be done.
#[derive(Clone, Copy, Debug)]
enum Task {
    Value([usize; 2]),
    Pair([usize; 2], usize),
}

impl LayoutTable {
    /// How many pieces of work the table has.
    pub(crate) fn piece_count(&self, plan: &TablePlan) -> usize {
        self.cells.len() * (1 + plan.pairs)
    }

    /// What is wrong with a piece that was read, if anything is.
    pub(crate) fn problem(&self, piece: &TablePiece, plan: &TablePlan) -> Option<String> {
        let (TablePiece::Value { cell, .. } | TablePiece::Pair { cell, .. }) = piece;
        if !self.cells.contains(cell) {
            return Some(format!("cell {cell:?} is not part of the table `{}`", self.name));
        }
        match piece {
            TablePiece::Pair { pair, .. } if *pair >= plan.pairs => Some(format!("pair {pair} is not part of a cell")),
            TablePiece::Pair { games, .. } => games.iter().find_map(PlayedGame::problem),
            TablePiece::Value { .. } => None,
        }
    }

    /// The positions in which the games of a pair in this cell begin.
    fn starts<G: Notation>(&self, cell: [usize; 2], rules: &G::Rules) -> [G; 2] {
        let (red, black) = (&self.red[cell[0]], &self.black[cell[1]]);
        let other = match self.pairing {
            Pairing::Mirrored => black.mirrored(),
            Pairing::Twice => black.clone(),
        };
        [black, &other].map(|black| {
            G::from_fen(rules, &layout::start(red, black))
                .expect("the start of eternal-fixed is a position of both variants")
        })
    }

    /// Does what is missing in `results`, up to a stop.
    ///
    /// # Errors
    /// If the work cannot be done or kept.
    pub(crate) fn work<G: Notation>(
        &self,
        player: &Player<G>,
        rules: &G::Rules,
        plan: &TablePlan,
        session: &mut Session,
        results: &mut TableResults,
    ) -> Result<(), SessionError> {
        let tasks = self.tasks(plan, results);
        let work = |player: &mut Player<G>, task: &Task| {
            Some(self.piece::<G>(player, rules, plan, *task)?.map(TableLine::Table))
        };
        session.work(player, &tasks, work, |TableLine::Table(piece)| results.add(piece))
    }

    /// How many pieces are missing in `results`.
    pub(crate) fn missing(&self, plan: &TablePlan, results: &TableResults) -> usize {
        self.tasks(plan, results).len()
    }

    fn tasks(&self, plan: &TablePlan, results: &TableResults) -> Vec<Task> {
        let mut tasks = Vec::new();
        for &cell in &self.cells {
            let known = results.cell(cell);
            tasks.extend((!known.is_some_and(|known| known.has_value)).then_some(Task::Value(cell)));
            let is_missing = |pair: &usize| !known.is_some_and(|known| known.pairs.contains_key(pair));
            tasks.extend((0..plan.pairs).filter(is_missing).map(|pair| Task::Pair(cell, pair)));
        }
        tasks
    }

    fn piece<G: Notation>(
        &self,
        player: &mut Player<G>,
        rules: &G::Rules,
        plan: &TablePlan,
        task: Task,
    ) -> Ended<TablePiece> {
        let table = self.name.clone();
        match task {
            Task::Value(cell) => {
                let starts = self.starts::<G>(cell, rules);
                let mean = |player: &mut Player<G>, budget| {
                    let mut sum = Some(0.0);
                    for (place, start) in starts.iter().enumerate() {
                        let mut rng = self.stream(plan, cell, VALUE_STREAM + place);
                        match player.red_value(start, budget, &mut rng)? {
                            Ok(value) => sum = sum.zip(value).map(|(sum, value)| sum + value),
                            Err(forfeit) => return Some(Err(forfeit)),
                        }
                    }
                    Some(Ok(sum.map(|sum| sum / starts.len() as f64)))
                };
                let values = both(mean(player, plan.budget)?, || mean(player, plan.second_budget))?;
                Some(values.map(|[red_value, second_red_value]| TablePiece::Value {
                    table,
                    cell,
                    red_value,
                    second_red_value,
                }))
            }
            Task::Pair(cell, pair) => {
                let [first, second] = self.starts::<G>(cell, rules);
                let mut game = |start: &G, place: usize| {
                    let mut rng = self.stream(plan, cell, 2 * pair + place);
                    player.play_out(start, plan.budget, EXPLORED_TURNS, &mut rng)
                };
                let games = both(game(&first, 0)?, || game(&second, 1))?;
                Some(games.map(|games| TablePiece::Pair { table, cell, pair, games }))
            }
        }
    }

    /// The random numbers of a piece of work; those of different tables differ, too.
    fn stream(&self, plan: &TablePlan, cell: [usize; 2], index: usize) -> Rng {
        let cell = (cell[0] as u64 & 0xfff) << 12 | cell[1] as u64 & 0xfff;
        Seeds::new(plan.seed).stream(Purpose::Match, u64::from(self.number) << 56 | cell << 32 | index as u64)
    }
}

/// Above the numbers of all games of a cell.
const VALUE_STREAM: usize = 1 << 31;

/// Both, unless the first failed or a stop was asked for.
fn both<T, E>(first: Result<T, E>, second: impl FnOnce() -> Option<Result<T, E>>) -> Option<Result<[T; 2], E>> {
    match first {
        Ok(first) => Some(second()?.map(|second| [first, second])),
        Err(error) => Some(Err(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(red_half_points: u8) -> PlayedGame {
        PlayedGame { red_half_points, reason: "points".to_owned(), turns: 20, points: [4, 0] }
    }

    fn pair(cell: [usize; 2], pair: usize, half_points: [u8; 2]) -> TablePiece {
        TablePiece::Pair { table: "layouts".to_owned(), cell, pair, games: half_points.map(game) }
    }

    #[test]
    fn the_mean_of_pairs_is_red_s_from_minus_one_to_one() {
        let mut results = TableResults::default();
        [pair([0, 0], 0, [2, 2]), pair([0, 0], 1, [1, 2])].into_iter().for_each(|piece| results.add(piece));
        let mean = mean_of_pairs(results.cell([0, 0]).unwrap().pairs.values()).unwrap();
        assert!((mean.value - 0.75).abs() < 1e-12 && mean.low < 0.75 && mean.high <= 1.0, "{mean:?}");
        assert_eq!(mean_of_pairs([]), None);
    }

    #[test]
    fn values_make_a_table_only_if_all_are_known() {
        let value = |cell, red_value| TablePiece::Value {
            table: "layouts".to_owned(),
            cell,
            red_value,
            second_red_value: None,
        };
        let mut results = TableResults::default();
        results.add(value([0, 0], Some(0.5)));
        assert_eq!(results.values([1, 2], |cell| cell.red_value), None);
        results.add(value([0, 1], Some(-0.5)));
        assert_eq!(results.values([1, 2], |cell| cell.red_value), Some(ndarray::array![[0.5, -0.5]]));
        assert_eq!(results.values([1, 2], |cell| cell.second_red_value), None);
    }

    #[test]
    fn pieces_of_another_table_are_told() {
        let layout = Layout::read(heng_env::Side::Red, "Ra1Nb1Bc1Bf1Ng1Rh1Cb3Cg3Md3Me3Pc4Pf4").unwrap();
        let [red, black] = [vec![layout.clone()], vec![layout]];
        let name = "layouts".to_owned();
        let table = LayoutTable { name, number: 0, red, black, cells: vec![[0, 0]], pairing: Pairing::Twice };
        let budget = Budget::Turns(1);
        let plan = TablePlan { pairs: 2, budget, second_budget: budget, seed: 1 };
        assert_eq!(table.problem(&pair([0, 0], 1, [2, 0]), &plan), None);
        for (piece, problem) in [
            (pair([0, 1], 0, [2, 0]), "cell [0, 1] is not part of the table `layouts`"),
            (pair([0, 0], 2, [2, 0]), "pair 2 is not part of a cell"),
            (pair([0, 0], 1, [2, 3]), "a game has 3 half points of red, expected 0 to 2"),
        ] {
            assert_eq!(table.problem(&piece, &plan).as_deref(), Some(problem));
        }
    }
}
