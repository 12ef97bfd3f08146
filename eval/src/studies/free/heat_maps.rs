//! How often each piece is placed on each square, by side and turn.

use heng_env::Side;
use heng_env::variants::eternal::{Board, FullBoard, Kind};

use super::super::heat::{Heat, Hue};
use super::super::layout::{place_text, word};
use super::super::page::Drawing;
use super::super::placement_tree::PLACEMENTS_OF_TURN;
use super::running::Findings;

/// Squares of a side's ranks.
const HOME: usize = FullBoard::FILES * (FullBoard::RANKS / 2);

/// Counts by side, turn of that side, kind and square as its owner sees it.
pub(super) struct HeatCounts {
    counts: Vec<u64>,
    games: usize,
}

impl HeatCounts {
    /// Placement turns of a side.
    pub(super) const TURNS: usize = 3;

    pub(super) fn of(findings: &Findings) -> HeatCounts {
        let mut counts = vec![0; Side::BOTH.len() * HeatCounts::TURNS * Kind::ALL.len() * HOME];
        for game in findings.kept.placed.values() {
            for (index, placement) in game.read().unwrap_or_default().into_iter().enumerate() {
                let turn = index / (2 * PLACEMENTS_OF_TURN);
                let (kind, square) = placement.place;
                counts[HeatCounts::index(placement.side, turn, kind) + square] += 1;
            }
        }
        HeatCounts { counts, games: findings.kept.placed.len() }
    }

    fn index(side: Side, turn: usize, kind: Kind) -> usize {
        ((side.index() * HeatCounts::TURNS + turn) * Kind::ALL.len() + kind.index()) * HOME
    }

    fn count(&self, side: Side, turn: Option<usize>, kind: Kind, square: usize) -> u64 {
        let turns = turn.map_or(0..HeatCounts::TURNS, |turn| turn..turn + 1);
        turns.map(|turn| self.counts[HeatCounts::index(side, turn, kind) + square]).sum()
    }

    /// The squares where pieces were placed, with how many, of one turn or of all.
    pub(super) fn squares(&self, side: Side, turn: Option<usize>, kind: Kind) -> impl Iterator<Item = (String, u64)> {
        let counts = (0..HOME).map(move |square| (square, self.count(side, turn, kind, square)));
        counts
            .filter(|(_, count)| *count > 0)
            .map(move |(square, count)| (place_text(side, (kind, square))[1..].to_owned(), count))
    }

    /// The heat-map of a kind, in percent of the games; the fullest colour is the largest share of all heat-maps of the side and turn.
    pub(super) fn draw(&self, side: Side, turn: Option<usize>, kind: Kind) -> Drawing {
        let share = |kind, square| self.count(side, turn, kind, square) as f64 / self.games.max(1) as f64;
        let full = Kind::ALL.iter().flat_map(|&kind| (0..HOME).map(move |square| share(kind, square)));
        let full = full.fold(0.0, f64::max);
        let first_rank = if side == Side::Red { 0 } else { FullBoard::RANKS - FullBoard::RANKS / 2 };
        let value = |index: usize| {
            let absolute = first_rank * FullBoard::FILES + index;
            let found = share(kind, FullBoard::relative(absolute, side));
            (found > 0.0).then_some(found)
        };
        let values: Vec<Option<f64>> = (0..HOME).map(value).collect();
        let name = name(kind);
        let label = format!("where {} places {name}", word(side));
        let (files, hue) = (FullBoard::FILES, Hue::Amount);
        let text = |share: f64| format!("{:.0}", 100.0 * share);
        let svg = Heat { label: &label, files, first_rank, values: &values, full, hue, text }.draw();
        Drawing { title: name.to_owned(), svg, notes: Vec::new() }
    }
}

/// What two pieces of a kind are called.
pub(super) const fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Rook => "rooks",
        Kind::Knight => "knights",
        Kind::Cannon => "cannons",
        Kind::Bishop => "bishops",
        Kind::Mimic => "mimics",
        Kind::Pawn => "pawns",
    }
}
