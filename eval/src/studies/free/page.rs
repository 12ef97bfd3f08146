//! The page of the study.

use heng_env::diagram::{Diagram, Occupant};
use heng_env::variants::eternal::Kind;
use heng_env::{Notation, Side};

use super::super::folder::StudySettings;
use super::super::grid;
use super::super::layout::{self, Layout, word};
use super::super::layout_results;
use super::super::layout_table::{EXPLORED_TURNS, mean_of_pairs};
use super::super::page::{Block, Drawing, Fact, Page, Section};
use super::super::session::subtitle;
use super::choice::FoundLayout;
use super::heat_maps::HeatCounts;
use super::running::Findings;
use super::summary::{FreeSummary, tree_of};
use super::{tables, tree_html};
use crate::draw::svg::{self, Options, Setting};
use crate::signed::signed;

/// Layouts that are drawn of each side, and those that the page's table lists.
const DRAWN: usize = 6;
const LISTED: usize = 50;

pub(super) fn page<G: Notation>(rules: &G::Rules, findings: &Findings, summary: &FreeSummary) -> Page {
    let heat = HeatCounts::of(findings);
    let mut sections: Vec<Section> = Side::BOTH.iter().map(|&side| where_placed(&heat, side)).collect();
    sections.extend([layouts::<G>(rules, findings), payoffs(findings, summary)]);
    sections.extend(replies::<G>(rules, findings, summary));
    sections.extend([tree(findings), method(&findings.settings)]);
    Page {
        title: "How an agent places its pieces".to_owned(),
        subtitle: subtitle(&findings.settings),
        words: summary.in_words(),
        facts: facts(summary),
        sections,
    }
}

fn facts(summary: &FreeSummary) -> Vec<Fact> {
    let fact = |value: String, name: &str| Fact { value, name: name.to_owned() };
    vec![
        fact(summary.games.to_string(), "placement phases"),
        fact(summary.table.games.to_string(), "games of layouts"),
        fact(signed(summary.table.red_value.value), "value of the table for red"),
        fact(summary.first_placement.clone(), "most usual first piece"),
    ]
}

fn where_placed(heat: &HeatCounts, side: Side) -> Section {
    let all = Kind::ALL.iter().map(|&kind| heat.draw(side, None, kind)).collect();
    let mut blocks = vec![Block::small(all)];
    for (turn, name) in ["first", "second", "third"].into_iter().enumerate() {
        let drawings = Kind::ALL.iter().map(|&kind| heat.draw(side, Some(turn), kind)).collect();
        blocks.push(Block::FoldedDrawings { title: format!("In {}’s {name} turn", word(side)), drawings });
    }
    Section {
        title: format!("What {} places where", word(side)),
        notes: vec!["In percent of the games; each side has two of each piece.".to_owned()],
        blocks,
    }
}

/// The board with one side's pieces alone.
fn drawn<G: Notation>(rules: &G::Rules, side: Side, layout: &Layout) -> String {
    let start = G::from_fen(rules, &layout::start(layout, layout)).expect("a start is a position");
    let mut diagram: Diagram = start.diagram();
    for square in &mut diagram.squares {
        if matches!(square.occupant, Occupant::Piece(glyph) if glyph.side != side) {
            square.occupant = Occupant::Empty;
        }
    }
    diagram.caption = format!("{}: {}", word(side), layout.text(side));
    svg::board(&diagram, &Options::new(Setting::Page))
}

fn layouts<G: Notation>(rules: &G::Rules, findings: &Findings) -> Section {
    let games = findings.kept.placed.len() as f64;
    let drawing = |side: Side, found: &FoundLayout| {
        let times = match found.count {
            1 => "once".to_owned(),
            count => format!("{count} times ({:.0} %)", 100.0 * count as f64 / games),
        };
        let value = found.red_value.map(|value| format!("search {} for red", signed(value)));
        let second = found.second_red_value.map(|value| format!("second budget {}", signed(value)));
        Drawing {
            title: format!("{}, {times}", word(side)),
            svg: drawn::<G>(rules, side, &found.layout),
            notes: value.into_iter().chain(second).chain([found.layout.text(side)]).collect(),
        }
    };
    let mut blocks = Vec::new();
    for side in Side::BOTH {
        let found = &findings.layouts[side.index()];
        blocks.push(Block::small(found.iter().take(DRAWN).map(|found| drawing(side, found)).collect()));
    }
    for side in Side::BOTH {
        let mut best: Vec<&FoundLayout> = findings.layouts[side.index()].iter().collect();
        let own =
            |found: &FoundLayout| found.red_value.map_or(-1.0, |value| if side == Side::Red { value } else { -value });
        best.sort_by(|one, other| own(other).total_cmp(&own(one)));
        if best.iter().any(|found| found.red_value.is_some()) {
            let drawings = best.into_iter().take(DRAWN).map(|found| drawing(side, found)).collect();
            blocks.push(Block::FoldedDrawings { title: format!("The best of {} by search", word(side)), drawings });
        }
    }
    blocks.push(Block::folded("Layouts as a table", tables::layouts(findings, LISTED)));
    Section {
        title: "The most frequent layouts".to_owned(),
        notes: vec![
            "A layout and its mirror image are one. Of equally frequent ones those come first that searches at the end of the \
             placement like best for their owner. That value also depends on what stood opposite; the payoff table below makes layouts \
             meet the same opponents."
                .to_owned(),
        ],
        blocks,
    }
}

fn payoffs(findings: &Findings, summary: &FreeSummary) -> Section {
    let results = findings.kept.tables.get(&findings.table.name).cloned().unwrap_or_default();
    let names = |side, count: usize| (0..count).map(|index| tables::number(side, index)).collect::<Vec<_>>();
    let (red, black) = (names(Side::Red, findings.table.red.len()), names(Side::Black, findings.table.black.len()));
    let by_games =
        |row: usize, column: usize| mean_of_pairs(results.cell([row, column])?.pairs.values()).map(|mean| mean.value);
    let by_search = |row: usize, column: usize| results.cell([row, column]).and_then(|cell| cell.red_value);
    let grid = |title: &str, svg: String| Block::Markup { title: title.to_owned(), html: svg };
    let mut blocks = vec![grid("By games", grid::draw("red's mean results", &red, &black, by_games))];
    if summary.table.search_red_value.is_some() {
        blocks.push(grid("By search", grid::draw("red's expectations by search", &red, &black, by_search)));
    }
    blocks.push(Block::table("Mixtures", tables::mixtures(summary)));
    blocks.push(Block::folded(
        "Cells with intervals",
        layout_results::cells(&results, &tables::layout_name(&findings.table)),
    ));
    Section {
        title: "Layouts against each other".to_owned(),
        notes: vec![
            "Red’s mean result of each cell, from -1 to 1: red’s layouts in rows, black’s in columns, numbered as in the table of \
             mixtures. In the second game of a pair black’s layout is mirrored."
                .to_owned(),
            "A mixture is how often a side should choose each layout so that the other gains nothing by knowing it (a Nash equilibrium, \
             by linear programming; there may be others with the same value). “Loses” is what the other side gains with its best \
             reply in this table, if it knows that this layout always comes. Intervals are 95 % bootstrap intervals over pairs; where \
             few pairs all end alike they are too narrow."
                .to_owned(),
        ],
        blocks,
    }
}

fn replies<G: Notation>(rules: &G::Rules, findings: &Findings, summary: &FreeSummary) -> Option<Section> {
    let (given, table) = findings.against.as_ref()?;
    let results = findings.kept.tables.get(&table.name).cloned().unwrap_or_default();
    let against = summary.against.as_ref()?;
    let side = given.side.other();
    let reply = |place: usize| {
        let reply = against.replies.get(place)?;
        let layout = Layout::read(side, &reply.layout).ok()?;
        let found = reply.red_result;
        let result = format!("{} for red ({} to {})", signed(found.value), signed(found.low), signed(found.high));
        let own = reply.is_agents_own.then(|| "the agent’s own reply".to_owned());
        Some(Drawing {
            title: if place == 0 { "The best reply".to_owned() } else { format!("Reply {}", place + 1) },
            svg: drawn::<G>(rules, side, &layout),
            notes: own.into_iter().chain([result, reply.layout.clone()]).collect(),
        })
    };
    let first = Drawing {
        title: format!("Given: {}", word(given.side)),
        svg: drawn::<G>(rules, given.side, &given.layout),
        notes: vec![given.text.clone()],
    };
    let drawings = std::iter::once(first).chain((0..3).filter_map(reply)).collect();
    Some(Section {
        title: "Replies to a given layout".to_owned(),
        notes: vec![
            "The agent places its reply turn by turn while the given layout is placed in its order; the layouts of the other side in the \
             table above and their mirror images are tried as well."
                .to_owned(),
        ],
        blocks: vec![Block::small(drawings), Block::folded("All replies", layout_results::cells(&results, &tables::layout_name(table)))],
    })
}

fn tree(findings: &Findings) -> Section {
    Section {
        title: "Placements step by step".to_owned(),
        notes: vec![
            "Each way with its games and the mean of what searches expect at the end. Pieces in another order lead to the same place, \
             which is shown where it comes first; games are mirrored so that the same first turn always stands on the same side."
                .to_owned(),
        ],
        blocks: vec![Block::Markup { title: String::new(), html: tree_html::html(&tree_of(findings)) }],
    }
}

fn method(settings: &StudySettings) -> Section {
    let StudySettings { agent, budget, options, .. } = settings;
    let explored = options.get("explored-turns").map_or("0", String::as_str);
    Section {
        title: "How this was done".to_owned(),
        notes: vec![format!(
            "{agent} plays both sides with {budget} a step. In the first {explored} placement turns, both sides’ counted, it draws among \
             its best steps: by visits where its search counts them, otherwise by how good they look. After that it places what it likes \
             best. In games of layouts it draws in the first {EXPLORED_TURNS} turns. What is found holds for this player and this much \
             drawing; intervals cover chance in the games, not that."
        )],
        blocks: Vec::new(),
    }
}
