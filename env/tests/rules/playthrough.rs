//! One random game of each variant in a form that people review: turns, boards and, for some positions, planes.

use std::fmt::Write;
use std::fs;

use heng_env::diagram::{Diagram, Occupant};
use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Purpose, Seeds, Shape, Side, Variant};
use rand::seq::IndexedRandom;

use crate::data_path;

/// Turns that are played at most.
const TURNS_MAX: usize = 24;

/// Every so many turns the position is drawn, and the planes of its first drawing.
const DRAWING_INTERVAL: usize = 8;

/// Set to write the files anew.
const REWRITE: &str = "REWRITE_PLAYTHROUGHS";

struct Playthrough;

impl VariantVisitor for Playthrough {
    type Output = String;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> String {
        let mut rng = Seeds::new(2026).stream(Purpose::Test, 0);
        let mut game = G::start(&rules, &mut rng);
        let mut text = format!("A random game of {variant}\n");
        for turn in 0..TURNS_MAX {
            if game.outcome().is_some() {
                break;
            }
            if turn % DRAWING_INTERVAL == 0 {
                draw_position(&mut text, &game, true);
            }
            let (start, mut steps) = (game.clone(), Vec::new());
            loop {
                let actions = legal(&game);
                let action = *actions.choose(&mut rng).expect("a game without an outcome has a step");
                steps.push(action);
                game.apply(action);
                if game.at_turn_start() || game.outcome().is_some() {
                    break;
                }
                if turn % DRAWING_INTERVAL == 1 {
                    draw_position(&mut text, &game, false);
                }
            }
            let side = G::side_name(start.side_to_act());
            line(&mut text, format_args!("\nturn {}, {side}: {}", turn + 1, start.turn_text(&steps)));
        }
        draw_position(&mut text, &game, false);
        line(&mut text, format_args!("outcome {:?}", game.outcome()));
        text
    }
}

fn legal<G: Notation>(game: &G) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    actions
}

fn draw_position<G: Notation>(text: &mut String, game: &G, with_planes: bool) {
    line(text, format_args!("\n{}", game.fen()));
    draw_board(text, &game.diagram());
    let steps: Vec<String> = legal(game).into_iter().map(|action| game.step_text(action)).collect();
    line(text, format_args!("{} steps: {}", steps.len(), steps.join(" ")));
    if with_planes {
        let shape = G::shape(game.rules());
        let mut planes = vec![f32::NAN; shape.input_len()];
        game.encode(&mut planes);
        draw_planes(text, shape, &planes);
    }
}

fn draw_board(text: &mut String, diagram: &Diagram) {
    line(text, format_args!("{}", diagram.caption));
    for rank in (0..diagram.ranks).rev() {
        let row = &diagram.squares[rank * diagram.files..][..diagram.files];
        let cells: Vec<String> = row
            .iter()
            .map(|square| match square.occupant {
                Occupant::Empty if square.palace => "+".to_owned(),
                Occupant::Empty if square.river => "~".to_owned(),
                Occupant::Empty => ".".to_owned(),
                Occupant::Stone => "*".to_owned(),
                Occupant::Piece(glyph) if glyph.side == Side::Red => glyph.letter.to_string(),
                Occupant::Piece(glyph) => glyph.letter.to_lowercase().to_string(),
            })
            .collect();
        line(text, format_args!("{:>2} {}", rank + 1, cells.join(" ")));
    }
    let hand: String = diagram.hand.iter().map(|glyph| glyph.character).collect();
    if !hand.is_empty() {
        line(text, format_args!("hand {hand}"));
    }
}

/// Draws planes side by side where they differ from square to square, and names the value of the others.
fn draw_planes(text: &mut String, shape: Shape, planes: &[f32]) {
    let (uniform, drawn): (Vec<_>, Vec<_>) = planes
        .chunks(shape.squares())
        .enumerate()
        .partition(|(_, plane)| plane.iter().all(|value| value.to_bits() == plane[0].to_bits()));
    let values: Vec<String> = uniform.iter().map(|(index, plane)| format!("{index}:{}", plane[0])).collect();
    line(text, format_args!("planes of one value: {}", values.join(" ")));
    const ACROSS: usize = 5;
    for group in drawn.chunks(ACROSS) {
        let width = shape.files + 2;
        let titles: Vec<String> = group.iter().map(|(index, _)| format!("{:<width$}", format!("#{index}"))).collect();
        line(text, format_args!("{}", titles.concat().trim_end()));
        for rank in (0..shape.ranks).rev() {
            let rows: Vec<String> =
                group.iter().map(|(_, plane)| plane_row(&plane[rank * shape.files..][..shape.files])).collect();
            line(text, format_args!("{}", rows.join("  ")));
        }
    }
}

/// A digit for each value: 0 as `.`, 1 as `1`, what lies between in tenths.
fn plane_row(values: &[f32]) -> String {
    let cell = |value: &f32| match *value {
        0.0 => '.',
        1.0 => '1',
        value if (0.0..1.0).contains(&value) => char::from(b'0' + (value * 10.0) as u8),
        _ => '?',
    };
    values.iter().map(cell).collect()
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("a string takes every text");
}

#[test]
fn playthroughs_are_as_reviewed() {
    for variant in Variant::all() {
        let text = variant.dispatch(Playthrough);
        let path = data_path(&format!("playthrough-{}.txt", variant.name()));
        if std::env::var_os(REWRITE).is_some() {
            fs::write(&path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        let expected = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(text == expected, "{} differs; {REWRITE}=1 writes it anew for review", path.display());
    }
}
