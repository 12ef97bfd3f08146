//! Placements of many games as a graph. Placements in another order lead to the same node, so that it is no tree in the strict sense.

use std::collections::BTreeMap;

use heng_env::Side;
use heng_env::variants::eternal::{Board, FullBoard};

use super::layout::{Place, place_text};

/// A piece that was placed, in the order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Placement {
    pub(crate) side: Side,
    pub(crate) place: Place,
}

impl Placement {
    fn mirrored(self) -> Placement {
        let (kind, square) = self.place;
        Placement { place: (kind, FullBoard::mirror(square)), ..self }
    }

    /// The text of the placement: `Ra1`.
    pub(crate) fn text(self) -> String {
        place_text(self.side, self.place)
    }
}

/// Placements of a turn.
pub(crate) const PLACEMENTS_OF_TURN: usize = 4;

/// The pieces on the board at some moment of the placement phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Node {
    /// Pieces on the board.
    pub(crate) depth: usize,
    /// Games that came by.
    pub(crate) visits: u32,
    /// The sum of their values for red.
    red_sum: f64,
    /// Games whose value is known.
    valued: u32,
    /// The nodes that a placement leads to, with the games that went that way.
    pub(crate) children: BTreeMap<Placement, Edge>,
}

/// A way from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The node that it leads to.
    pub(crate) node: usize,
    /// Games that went this way.
    pub(crate) visits: u32,
}

impl Node {
    /// The mean value for red, from -1 to 1, of the games that came by; nothing if none is known.
    pub(crate) fn red_value(&self) -> Option<f64> {
        (self.valued > 0).then(|| self.red_sum / f64::from(self.valued))
    }

    /// The ways on, those of most games first.
    pub(crate) fn by_visits(&self) -> Vec<(Placement, Edge)> {
        let mut children: Vec<_> = self.children.iter().map(|(&placement, &edge)| (placement, edge)).collect();
        // Stable, so that equals stay in the order of the map.
        children.sort_by_key(|(_, edge)| std::cmp::Reverse(edge.visits));
        children
    }
}

/// All nodes; the first is the empty board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacementTree {
    pub(crate) nodes: Vec<Node>,
    by_pieces: BTreeMap<Vec<Placement>, usize>,
}

impl PlacementTree {
    /// The empty board.
    pub(crate) fn new() -> PlacementTree {
        PlacementTree { nodes: vec![Node::default()], by_pieces: BTreeMap::from([(Vec::new(), 0)]) }
    }

    /// Adds a game with the value of its end for red. Of a game and its mirror image always the same is added.
    pub(crate) fn add(&mut self, placements: &[Placement], red_value: Option<f64>) {
        let (mut here, mut pieces) = (0, Vec::new());
        self.visit(here, red_value);
        for placement in facing_one_way(placements) {
            pieces.insert(pieces.binary_search(&placement).unwrap_or_else(|place| place), placement);
            let next = self.node_of(&pieces);
            self.nodes[here].children.entry(placement).or_insert(Edge { node: next, visits: 0 }).visits += 1;
            self.visit(next, red_value);
            here = next;
        }
    }

    fn node_of(&mut self, pieces: &[Placement]) -> usize {
        if let Some(&node) = self.by_pieces.get(pieces) {
            return node;
        }
        self.nodes.push(Node { depth: pieces.len(), ..Node::default() });
        self.by_pieces.insert(pieces.to_vec(), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn visit(&mut self, node: usize, red_value: Option<f64>) {
        let node = &mut self.nodes[node];
        node.visits += 1;
        if let Some(value) = red_value {
            node.red_sum += value;
            node.valued += 1;
        }
    }
}

/// The game or its mirror image, whichever has the smaller pieces after the first turn in which they differ. All games of one first turn,
/// in whatever order it was placed, face the same way.
fn facing_one_way(placements: &[Placement]) -> Vec<Placement> {
    let image: Vec<Placement> = placements.iter().map(|placement| placement.mirrored()).collect();
    let sorted = |placements: &[Placement]| {
        let mut sorted = placements.to_vec();
        sorted.sort_unstable();
        sorted
    };
    for (turn, image_turn) in placements.chunks(PLACEMENTS_OF_TURN).zip(image.chunks(PLACEMENTS_OF_TURN)) {
        match sorted(image_turn).cmp(&sorted(turn)) {
            std::cmp::Ordering::Less => return image,
            std::cmp::Ordering::Greater => break,
            std::cmp::Ordering::Equal => {}
        }
    }
    placements.to_vec()
}

#[cfg(test)]
mod tests {
    use super::super::layout::read_place;
    use super::*;

    fn placements(text: &str) -> Vec<Placement> {
        let place = |(index, text): (usize, &[u8])| {
            let side = Side::BOTH[index / PLACEMENTS_OF_TURN % 2];
            Placement { side, place: read_place(side, text).unwrap() }
        };
        text.as_bytes().chunks(3).enumerate().map(place).collect()
    }

    fn tree(games: &[(&str, Option<f64>)]) -> PlacementTree {
        let mut tree = PlacementTree::new();
        games.iter().for_each(|(text, value)| tree.add(&placements(text), *value));
        tree
    }

    #[test]
    fn placements_in_another_order_lead_to_the_same_node() {
        let merged = tree(&[("Ra1Rb1Na2Nb2Ra9", Some(1.0)), ("Nb2Na2Rb1Ra1Ra9", Some(0.0))]);
        let ends: Vec<_> = merged.nodes.iter().filter(|node| node.depth == 5).collect();
        assert_eq!(ends.len(), 1);
        assert_eq!((ends[0].visits, ends[0].red_value()), (2, Some(0.5)));
        assert_eq!(merged.nodes[0].visits, 2);
        assert_eq!(merged.nodes[0].children.len(), 2);
        // Four orders of two first pieces meet nowhere but at the end of the turn.
        assert_eq!(merged.nodes.len(), 1 + 3 + 3 + 1 + 1);
    }

    #[test]
    fn a_game_and_its_mirror_image_are_one() {
        let merged = tree(&[("Ra1Rb1Na2Nb2Ra9Rb9", None), ("Rh1Rg1Nh2Ng2Rh9Rg9", None)]);
        assert_eq!(merged.nodes.len(), 7);
        assert!(merged.nodes.iter().all(|node| node.visits == 2 && node.red_value().is_none()));
        // Both first turns are their own image: the second decides.
        let symmetric = tree(&[("Ra1Rh1Na2Nh2Ra9", None), ("Rh1Ra1Nh2Na2Rh9", None)]);
        assert_eq!(symmetric.nodes.iter().filter(|node| node.depth == 5).count(), 1);
    }

    #[test]
    fn ways_of_more_games_come_first() {
        let found = tree(&[("Ra1Rb1", None), ("Ra1Rc1", None), ("Ra1Rc1", None)]);
        let first = found.nodes[0].by_visits();
        assert_eq!((first.len(), first[0].1.visits), (1, 3));
        let second = found.nodes[first[0].1.node].by_visits();
        assert_eq!(
            second.iter().map(|(placement, edge)| (placement.text(), edge.visits)).collect::<Vec<_>>(),
            [("Rc1".to_owned(), 2), ("Rb1".to_owned(), 1)]
        );
    }
}
