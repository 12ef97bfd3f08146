//! The able takes the throne (能者为王, RULES 3.3): what a checkmated player may do instead of losing.

use super::piece::Kind;
use super::points::{Point, Points};
use super::position::Position;
use super::safety::Attackers;

impl Position {
    /// What the side to decide would have to give up one of: its ministers, or its rooks if it has none.
    pub(super) fn able(&self) -> Points {
        let ministers = self.of(self.side(), Kind::Minister);
        if ministers.is_empty() { self.of(self.side(), Kind::Rook) } else { ministers }
    }

    /// Where the general may go when the piece on `given` is given up: to its point if that lies in the royal zone, else
    /// to any empty point of the zone.
    pub(super) fn thrones(&self, given: Point) -> Points {
        let zone = self.options().zone(self.side());
        if zone.contains(given) { Points::of(given) } else { zone.without(self.occupied().points()) }
    }

    /// Those of the places on which the general is safe.
    pub(super) fn safe_thrones(&self, given: Point, attackers: &Attackers) -> Points {
        let mut left = *self.occupied();
        left.toggle(self.general(self.side()));
        left.toggle(given);
        let enemies = self.of_side(self.side().other());
        let is_safe = |&place: &Point| !attackers.attack(place, &left, enemies);
        self.thrones(given).iter().filter(is_safe).fold(Points::EMPTY, |set, place| set | Points::of(place))
    }

    /// Whether any choice is left.
    pub(super) fn has_throne(&self, attackers: &Attackers) -> bool {
        self.able().iter().any(|given| !self.safe_thrones(given, attackers).is_empty())
    }
}
