//! Eternal Chess (永恒象棋): free placement, fixed placement and mini.

mod board;

pub use board::{Board, FullBoard, MiniBoard};

use super::{Settings, VariantError};
use crate::diagram::Diagram;
use crate::notation::{FenError, NotationError};
use crate::{Action, Game, Notation, Outcome, Rng, Shape, Side};
use std::marker::PhantomData;

/// Settings of `eternal-free`.
pub const FREE_KEYS: &[&str] = &["turn_limit"];
/// Settings of `eternal-fixed` and `eternal-mini`.
pub const LAYOUT_KEYS: &[&str] = &["turn_limit", "red", "black"];

/// What stays fixed during a game.
#[derive(Clone, Debug)]
pub struct Rules<B: Board> {
    board: PhantomData<B>,
}

/// `eternal-free`.
pub fn free_rules(_: &Settings<'_>) -> Result<Rules<FullBoard>, VariantError> {
    unimplemented!()
}
/// `eternal-fixed`.
pub fn fixed_rules(_: &Settings<'_>) -> Result<Rules<FullBoard>, VariantError> {
    unimplemented!()
}
/// `eternal-mini`.
pub fn mini_rules(_: &Settings<'_>) -> Result<Rules<MiniBoard>, VariantError> {
    unimplemented!()
}

/// A game of Eternal Chess.
#[derive(Clone, Debug)]
pub struct Eternal<B: Board> {
    rules: Rules<B>,
}

impl<B: Board> Game for Eternal<B> {
    type Rules = Rules<B>;
    fn start(_: &Rules<B>, _: &mut Rng) -> Self {
        unimplemented!()
    }
    fn standard_start(_: &Rules<B>) -> Self {
        unimplemented!()
    }
    fn has_random_start(_: &Rules<B>) -> bool {
        unimplemented!()
    }
    fn shape(_: &Rules<B>) -> Shape {
        unimplemented!()
    }
    fn rules(&self) -> &Rules<B> {
        &self.rules
    }
    fn side_to_act(&self) -> Side {
        unimplemented!()
    }
    fn at_turn_start(&self) -> bool {
        unimplemented!()
    }
    fn turns_played(&self) -> usize {
        unimplemented!()
    }
    fn outcome(&self) -> Option<Outcome> {
        unimplemented!()
    }
    fn legal_actions(&self, _: &mut Vec<Action>) {
        unimplemented!()
    }
    fn apply(&mut self, _: Action) {
        unimplemented!()
    }
    fn encode(&self, _: &mut [f32]) {
        unimplemented!()
    }
    fn key(&self) -> u64 {
        unimplemented!()
    }
    fn mirrored(&self) -> Self {
        unimplemented!()
    }
    fn mirror_action(_: &Rules<B>, _: Action) -> Action {
        unimplemented!()
    }
    fn repetitions(&self) -> u8 {
        unimplemented!()
    }
    fn set_repetitions(&mut self, _: u8) {
        unimplemented!()
    }
    fn without_draw_rules(&self) -> Self {
        unimplemented!()
    }
    fn red_lead(&self) -> f32 {
        unimplemented!()
    }
    fn heuristic(&self) -> i32 {
        unimplemented!()
    }
}

impl<B: Board> Notation for Eternal<B> {
    fn side_name(_: Side) -> &'static str {
        unimplemented!()
    }
    fn from_fen(_: &Rules<B>, _: &str) -> Result<Self, FenError> {
        unimplemented!()
    }
    fn fen(&self) -> String {
        unimplemented!()
    }
    fn step_text(&self, _: Action) -> String {
        unimplemented!()
    }
    fn parse_step(&self, _: &str) -> Result<Action, NotationError> {
        unimplemented!()
    }
    fn turn_text(&self, _: &[Action]) -> String {
        unimplemented!()
    }
    fn parse_turn(&self, _: &str) -> Result<Vec<Action>, NotationError> {
        unimplemented!()
    }
    fn diagram(&self) -> Diagram {
        unimplemented!()
    }
}
