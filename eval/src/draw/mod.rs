//! Boards as people see them: as text in a terminal and as SVG on a page.

pub mod svg;
pub mod terminal;

use clap::ValueEnum;
use heng_env::{Action, Game, Shape, Side};

/// What stands for a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Letters {
    /// The letters of position texts, upper case for red.
    #[default]
    Latin,
    /// Chinese characters, two columns wide in a terminal.
    Chinese,
}

/// What one step did to the board; squares are counted rank by rank from a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The square that was left, if the piece came from the board by a move.
    pub from: Option<usize>,
    /// The square where the piece was put.
    pub to: usize,
}

impl Trace {
    /// The trace of a step of `side`, read from its place in the policy.
    pub fn of(shape: Shape, side: Side, action: Action) -> Trace {
        let squares = shape.squares();
        let (plane, square) = (action.index() / squares, action.index() % squares);
        let absolute = |square: usize| match side {
            Side::Red => square,
            Side::Black => (shape.ranks - 1 - square / shape.files) * shape.files + square % shape.files,
        };
        Trace { from: (plane < squares).then(|| absolute(plane)), to: absolute(square) }
    }

    /// The traces of `steps`, played one after the other from `start`.
    pub fn of_turn<G: Game>(start: &G, steps: &[Action]) -> Vec<Trace> {
        let shape = G::shape(start.rules());
        let mut position = start.clone();
        let mut traces = Vec::with_capacity(steps.len());
        for &action in steps {
            traces.push(Trace::of(shape, position.side_to_act(), action));
            position.apply(action);
        }
        traces
    }

    fn touches(&self, square: usize) -> bool {
        self.to == square || self.from == Some(square)
    }
}

/// The letter of a file, counted from 0 at red's left.
fn file_letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}

/// A small position with everything that can be drawn, for tests.
#[cfg(test)]
pub(crate) fn example() -> heng_env::diagram::Diagram {
    use heng_env::diagram::{Diagram, Glyph, Occupant, Square, Style};
    let red = Glyph { side: Side::Red, letter: 'R', character: '车', promoted: false };
    let black = Glyph { side: Side::Black, letter: 'P', character: '卒', promoted: false };
    let mut squares = vec![Square::default(); 12];
    squares[1].palace = true;
    squares[10].palace = true;
    squares[1].occupant = Occupant::Piece(red);
    for square in &mut squares[3..9] {
        square.river = true;
    }
    squares[4].occupant = Occupant::Stone;
    squares[9].occupant = Occupant::Piece(black);
    Diagram {
        files: 3,
        ranks: 4,
        style: Style::Squares,
        squares,
        hand: vec![red, black, black],
        holder: None,
        caption: "0-0, turn 1, red to drop".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, path::Path};

    use heng_env::variants::VariantVisitor;
    use heng_env::{Notation, Variant};

    use super::*;

    /// Set it to write the picture of the README anew, for review.
    const REWRITE: &str = "REWRITE_PICTURES";

    const SHAPE: Shape = Shape { files: 3, ranks: 4, input_planes: 1, hand_planes: 1 };

    #[test]
    fn a_trace_is_turned_to_the_board_for_black() {
        let action = Action::new(12 + 5);
        assert_eq!(Trace::of(SHAPE, Side::Red, action), Trace { from: Some(1), to: 5 });
        assert_eq!(Trace::of(SHAPE, Side::Black, action), Trace { from: Some(10), to: 8 });
        let hand = Action::new(12 * 12 + 2);
        assert_eq!(Trace::of(SHAPE, Side::Red, hand), Trace { from: None, to: 2 });
        assert_eq!(Trace::of(SHAPE, Side::Black, hand), Trace { from: None, to: 11 });
    }

    struct AfterTurns<'a>(&'a [&'a str]);

    impl VariantVisitor for AfterTurns<'_> {
        type Output = String;

        fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> String {
            let mut position = G::standard_start(&rules);
            let mut last = Vec::new();
            for text in self.0 {
                let steps = position.parse_turn(text).unwrap();
                last = Trace::of_turn(&position, &steps);
                steps.into_iter().for_each(|action| position.apply(action));
            }
            let options = svg::Options { last: &last, ..svg::Options::new(svg::Setting::File) };
            svg::board(&position.diagram(), &options)
        }
    }

    #[test]
    fn the_board_in_the_readme_is_what_the_code_draws() {
        let variant: Variant = "eternal-fixed".parse().unwrap();
        let drawn = variant.dispatch(AfterTurns(&["b1c3", "b9c7", "g1f3", "g9f7", "b3b7e8"]));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/board.svg");
        if env::var_os(REWRITE).is_some() {
            fs::write(&path, &drawn).unwrap();
        }
        let stored = fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == drawn, "{} differs; {REWRITE}=1 writes it anew for review", path.display());
    }
}
