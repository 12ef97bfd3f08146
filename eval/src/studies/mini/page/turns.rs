//! First turns: which are best, and where they decide.

use heng_env::{Action, Notation};

use super::super::findings::{DECISIVE, Findings};
use super::super::setups::mirror;
use super::super::summary::{NAMED, Summary, percent};
use super::super::tables::{self, Board};
use crate::draw::svg::{self, Options, Setting};
use crate::draw::{Letters, Trace};
use crate::signed::signed;
use crate::studies::heat::{Heat, Hue};
use crate::studies::histogram::{self, Bar};
use crate::studies::page::{Block, Drawing, Section};

/// Bars of the histogram of margins, of a tenth each; the last one has all the rest.
const MARGIN_BARS: usize = 11;
/// Rows of the table of the largest margins.
const ROWS: usize = 40;

/// A set-up with its best first turn.
pub(super) fn board_of<G: Notation>(findings: &Findings<'_, G>, index: usize, notes: Vec<String>) -> Drawing {
    let (position, found) = (&findings.set_ups[index].position, findings.searched(index));
    let steps: Vec<Action> = found.best.steps.iter().map(|&step| Action::new(step)).collect();
    let last = Trace::of_turn(position, &steps);
    let options = Options { letters: Letters::Latin, last: &last, ..Options::new(Setting::Page) };
    Drawing { title: String::new(), svg: svg::board(&position.diagram(), &options), notes }
}

/// How much the first turn matters, and which one is best.
pub(super) fn first_turns<G: Notation>(summary: &Summary, findings: &Findings<'_, G>, board: Board) -> Option<Section> {
    let turns = summary.first_turns.as_ref()?;
    let margin = |index: usize| findings.searched(index).margin();
    let mut order: Vec<usize> = findings.everything().into_iter().filter(|&index| margin(index).is_some()).collect();
    order.sort_by(|&one, &other| margin(other).unwrap_or(0.0).total_cmp(&margin(one).unwrap_or(0.0)));
    let bar = |index: usize| {
        let is_in = |place: &usize| {
            let tenth = (margin(*place).unwrap_or(0.0) * 10.0 + 1e-9).floor().clamp(0.0, (MARGIN_BARS - 1) as f64);
            tenth as usize == index
        };
        let count = order.iter().filter(|place| is_in(place)).map(|&place| findings.set_ups[place].copies).sum();
        let label = if index + 1 == MARGIN_BARS { "1+".to_owned() } else { format!("{:.1}", index as f64 / 10.0) };
        Bar { name: format!("from {label}"), label, count, class: "plain" }
    };
    let drawing = Drawing {
        title: "Set-ups by margin".to_owned(),
        svg: histogram::draw(&(0..MARGIN_BARS).map(bar).collect::<Vec<_>>(), "margin, in steps of 0.1"),
        notes: Vec::new(),
    };
    let boards = order.iter().take(NAMED).map(|&index| {
        let found = findings.searched(index);
        let second = found.second.as_ref();
        let second = second
            .map(|turn| format!("next best: {}, {}", turn.text, turn.red_value.map_or_else(|| "–".to_owned(), signed)));
        let best =
            format!("best: {}, {}", found.best.text, found.best.red_value.map_or_else(|| "–".to_owned(), signed));
        board_of(findings, index, [Some(best), second].into_iter().flatten().collect())
    });
    let rows = &order[..order.len().min(ROWS)];
    Some(Section {
        title: "First turns that decide".to_owned(),
        notes: vec![format!(
            "The margin is how much more red can expect of the best first turn than of the best one that begins with \
             another step: {:.2} on average, {DECISIVE} or more in {} of the set-ups. A tree search looks hardest at \
             the turn it likes best, so that small margins may be noise.",
            turns.mean_margin,
            percent(turns.decisive)
        )],
        blocks: vec![
            Block::charts(vec![drawing]),
            Block::small(squares(findings, board).to_vec()),
            Block::small(boards.collect()),
            Block::folded(format!("The {} largest margins", rows.len()), tables::set_ups(findings).at(rows)),
        ],
    })
}

/// Where the best first turns begin and where their first step ends, as shares of the set-ups with images counted.
fn squares<G: Notation>(findings: &Findings<'_, G>, board: Board) -> [Drawing; 2] {
    let mut shares = [0, 1].map(|_| vec![None; board.files * board.ranks]);
    let total: usize = findings.set_ups.iter().map(|set_up| set_up.copies).sum();
    for (index, set_up) in findings.set_ups.iter().enumerate() {
        let Some(&first) = findings.searched(index).best.steps.first() else { continue };
        let position = &set_up.position;
        let trace = Trace::of(G::shape(position.rules()), position.side_to_act(), Action::new(first));
        for (share, square) in shares.iter_mut().zip([trace.from, Some(trace.to)]) {
            // In the image the image of the turn is best.
            for square in square.into_iter().flat_map(|square| [square, mirror(square, board.files)]) {
                *share[square].get_or_insert(0.0) += set_up.copies as f64 / 2.0 / total as f64;
            }
        }
    }
    let titles = ["Where the best first turn begins", "Where its first step ends"];
    let drawing = |(title, values): (&str, Vec<Option<f64>>)| {
        let full = values.iter().flatten().copied().fold(0.0, f64::max);
        let (files, text) = (board.files, |share: f64| format!("{:.0}%", 100.0 * share));
        let heat = Heat { label: title, files, first_rank: 0, values: &values, full, hue: Hue::Amount, text };
        Drawing { title: title.to_owned(), svg: heat.draw(), notes: vec!["of the set-ups".to_owned()] }
    };
    let [begins, ends] = shares;
    [(titles[0], begins), (titles[1], ends)].map(drawing)
}
