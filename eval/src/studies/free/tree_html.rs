//! The graph of placements as lists that unfold.

use std::collections::HashSet;
use std::fmt::Write;

use super::super::layout::word;
use super::super::placement_tree::{Edge, Placement, PlacementTree};
use crate::signed::signed;

/// Ways that are shown at each place.
const WAYS_MAX: usize = 6;

/// Ways of fewer games are not shown.
const VISITS_MIN: u32 = 2;

/// Placements that can be followed.
const DEPTH_MAX: usize = 16;

/// Ways that are shown in all: a page has to load.
const SHOWN_MAX: usize = 1500;

/// The graph from the empty board; the first placements are seen at once.
pub(super) fn html(tree: &PlacementTree) -> String {
    let mut writer = Writer { tree, shown: 0, seen: HashSet::new(), out: String::from("<div class=\"tree\">") };
    writer.ways(0);
    writer.out.push_str("</div>");
    writer.out
}

struct Writer<'a> {
    tree: &'a PlacementTree,
    shown: usize,
    /// Nodes whose ways on are on the page already.
    seen: HashSet<usize>,
    out: String,
}

impl Writer<'_> {
    fn ways(&mut self, node: usize) {
        let ways = self.tree.nodes[node].by_visits();
        let is_shown = |(_, edge): &&(Placement, Edge)| edge.visits >= VISITS_MIN;
        let shown: Vec<_> = ways.iter().filter(is_shown).take(WAYS_MAX).copied().collect();
        for &(placement, edge) in &shown {
            self.way(placement, edge);
        }
        let left: u32 = ways.iter().map(|(_, edge)| edge.visits).sum::<u32>()
            - shown.iter().map(|(_, edge)| edge.visits).sum::<u32>();
        let count = ways.len() - shown.len();
        if count > 0 {
            self.leaf(&counted(count as u32, "rarer way"), &counted(left, "game"));
        }
    }

    fn way(&mut self, placement: Placement, edge: Edge) {
        let node = &self.tree.nodes[edge.node];
        self.shown += 1;
        let mut note = counted(edge.visits, "game");
        if node.visits > edge.visits {
            let _ = write!(note, ", {} in any order", node.visits);
        }
        if let Some(value) = node.red_value() {
            let _ = write!(note, ", {} for red", signed(value));
        }
        let text = format!("{} {}", word(placement.side), placement.text());
        let goes_on =
            node.visits >= VISITS_MIN && node.depth < DEPTH_MAX && self.shown < SHOWN_MAX && !node.children.is_empty();
        if !goes_on {
            self.leaf(&text, &note);
        } else if !self.seen.insert(edge.node) {
            self.leaf(&text, &(note + "; goes on as where it stands above"));
        } else {
            let _ = write!(self.out, "<details><summary>{text}<span class=\"note\">{note}</span></summary>");
            self.ways(edge.node);
            self.out.push_str("</details>");
        }
    }

    fn leaf(&mut self, text: &str, note: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "<div class=\"leaf\">{text}<span class=\"note\">{note}</span></div>");
    }
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use heng_env::Side;

    use super::super::super::layout::read_place;
    use super::*;

    #[test]
    fn placements_unfold_and_transpositions_are_shown_once() {
        let mut tree = PlacementTree::new();
        let placements = |text: &str| -> Vec<Placement> {
            let places = text.as_bytes().chunks(3).map(|text| read_place(Side::Red, text).unwrap());
            places.map(|place| Placement { side: Side::Red, place }).collect()
        };
        for text in ["Ra1Rb1Na2", "Ra1Rb1Na2", "Rb1Ra1Na2", "Rb1Ra1Na2", "Pc1Pc2Pc3"] {
            tree.add(&placements(text), Some(0.5));
        }
        let html = html(&tree);
        assert!(
            html.contains("<summary>red Ra1<span class=\"note\">2 games, +0.50 for red</span></summary>"),
            "{html}"
        );
        assert!(html.contains("red Rb1<span class=\"note\">2 games, 4 in any order"), "{html}");
        assert_eq!(html.matches("as where it stands above").count(), 1, "{html}");
        assert!(html.contains("1 rarer way<span class=\"note\">1 game</span>"), "{html}");
        assert_eq!(html.matches("<details>").count(), html.matches("</details>").count());
    }
}
