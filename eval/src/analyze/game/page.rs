//! The page: the curve, the turns, and what would have been better than each blunder.

use heng_env::Side;
use heng_mcts::value::RedValue;
use minijinja::context;
use minijinja::value::Value;

use super::super::judgement::Mark;
use super::super::words::{counted, proven};
use super::summary::Summary;
use super::{AnalysedTurn, Analysis, curve};
use crate::draw::Letters;
use crate::draw::svg::{self, Options, Setting};
use crate::signed::signed;
use crate::web_page::{self, markup};

const TEMPLATE: &str = include_str!("page.html");

/// The page as HTML.
pub(super) fn render(analysis: &Analysis, letters: Letters) -> Result<String, minijinja::Error> {
    let blunders = analysis.turns.iter().enumerate().filter(|(_, turn)| turn.judgement.mark == Some(Mark::Blunder));
    web_page::render(
        TEMPLATE,
        &[curve::COLOURS, curve::STYLE_SHEET, svg::STYLE_SHEET],
        context! {
            title => analysis.title(),
            agent => &analysis.agent,
            stopped => analysis.is_stopped().then(|| {
                format!("{} of {}", analysis.turns.len(), counted(analysis.game.turns().len() as u64, "turn"))
            }),
            error => &analysis.error,
            sides => Side::BOTH.map(|side| side_of(analysis, side)),
            wide => markup(curve::draw(analysis, curve::WIDE, Setting::Page)),
            narrow => markup(curve::draw(analysis, curve::NARROW, Setting::Page)),
            turns => analysis.turns.iter().enumerate().map(|(index, turn)| turn_of(analysis, index, turn)).collect::<Vec<_>>(),
            end => red(analysis.end),
            blunders => blunders.map(|(index, turn)| blunder(analysis, index, turn, letters)).collect::<Vec<_>>(),
        },
    )
}

fn side_of(analysis: &Analysis, side: Side) -> Value {
    let summary = Summary::of(analysis, side);
    let loss = summary.mean_loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.2}"));
    context! { name => analysis.name(side), loss, turns => summary.turns_in_words(), marks => summary.marks_in_words() }
}

fn turn_of(analysis: &Analysis, index: usize, turn: &AnalysedTurn) -> Value {
    let mark = turn.judgement.mark;
    let loss = turn.judgement.loss.filter(|_| mark.is_some()).map(|loss| format!("{loss:.2}"));
    context! {
        number => index + 1,
        name => analysis.name(turn.side),
        text => turn.told(),
        symbol => turn.symbol(),
        mark => mark.map(Mark::name),
        value => red(turn.value),
        loss,
        better => turn.better().map(|better| better.told()),
        proof => turn.verdict.map(proven),
    }
}

fn blunder(analysis: &Analysis, index: usize, turn: &AnalysedTurn, letters: Letters) -> Value {
    let options = Options { letters, last: &turn.picture.best, ..Options::new(Setting::Page) };
    let board = markup(svg::board(&turn.picture.diagram, &options));
    let own = |value: RedValue| signed(value.for_side(turn.side));
    let after = analysis.turns.get(index + 1).map_or(analysis.end, |next| next.value);
    context! {
        number => index + 1,
        name => analysis.name(turn.side),
        text => turn.told(),
        before => turn.value.map(own),
        after => after.map(own),
        better => turn.better().map(|better| better.told()),
        proof => turn.verdict.map(proven),
        board,
    }
}

fn red(value: Option<RedValue>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| signed(value.for_side(Side::Red)))
}
