//! The points of the board and sets of them (RULES 3.1).
//!
//! The board has 156 points, more than a 128-bit number holds. A rank takes 16 bits, of which 13 are used, so that four
//! ranks fill a word and the whole board three: to turn the board over is to swap 16-bit lanes.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign};

use crate::Side;
use crate::fen;

/// Number of files.
pub(super) const FILES: usize = 13;
/// Number of ranks.
pub(super) const RANKS: usize = 12;
/// Number of points.
pub(super) const SQUARES: usize = FILES * RANKS;
/// Ranks of one half.
pub(super) const HALF: usize = RANKS / 2;

/// Bits of a rank.
pub(super) const STRIDE: usize = 16;
/// Length of a table with a row for each point.
pub(super) const SLOTS: usize = STRIDE * RANKS;
/// Ranks in a word.
const RANKS_A_WORD: usize = 4;
/// The points of a rank in its bits.
const LANE: u64 = (1 << FILES) - 1;
/// The points of four ranks in their word.
const WORD: u64 = LANE * 0x0001_0001_0001_0001;

/// A point of the board: rank × 16 + file, both from 0 at red's left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

impl Point {
    pub(super) const fn new(file: usize, rank: usize) -> Point {
        Point((rank * STRIDE + file) as u8)
    }

    /// The point with this number when points are counted rank by rank without gaps, as in actions and planes.
    pub(super) const fn from_square(square: usize) -> Point {
        Point::new(square % FILES, square / FILES)
    }

    /// Its number when points are counted rank by rank without gaps.
    pub(super) const fn square(self) -> usize {
        self.0 as usize - (STRIDE - FILES) * self.rank()
    }

    /// Its row in a table of [`SLOTS`] rows.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn file(self) -> usize {
        self.0 as usize % STRIDE
    }

    pub(super) const fn rank(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// The point that lies so many files and ranks away, if the board goes that far.
    pub(super) const fn offset(self, files: isize, ranks: isize) -> Option<Point> {
        let (file, rank) = (self.file() as isize + files, self.rank() as isize + ranks);
        if file >= 0 && file < FILES as isize && rank >= 0 && rank < RANKS as isize {
            Some(Point::new(file as usize, rank as usize))
        } else {
            None
        }
    }

    /// The same point when the ranks are turned over.
    pub(super) const fn turned(self) -> Point {
        Point::new(self.file(), RANKS - 1 - self.rank())
    }

    /// The same point in the left-right reflection.
    pub(super) const fn mirrored(self) -> Point {
        Point::new(FILES - 1 - self.file(), self.rank())
    }

    /// The point as `side` sees it: ranks are turned over for green. Its own inverse.
    pub(super) const fn seen_by(self, side: Side) -> Point {
        match side {
            Side::Red => self,
            Side::Black => self.turned(),
        }
    }

    /// The text of the point, `a1`.
    pub(super) fn text(self) -> String {
        fen::square_text(self.square(), FILES)
    }
}

/// A set of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Points([u64; 3]);

impl Points {
    pub(super) const EMPTY: Points = Points([0; 3]);
    pub(super) const BOARD: Points = Points([WORD; 3]);

    /// The set of one point.
    #[inline]
    pub(super) const fn of(point: Point) -> Points {
        Points::from_word(1 << (point.index() % 64), point.index() / 64)
    }

    /// The set whose only word is this one. By comparisons: to write to a place in memory and read all of them back is slow.
    #[inline]
    const fn from_word(word: u64, place: usize) -> Points {
        Points([
            if place == 0 { word } else { 0 },
            if place == 1 { word } else { 0 },
            if place == 2 { word } else { 0 },
        ])
    }

    /// The points of `count` ranks from `first` on.
    pub(super) const fn ranks(first: usize, count: usize) -> Points {
        let mut points = Points::EMPTY;
        let mut rank = first;
        while rank < first + count {
            points.0[rank / RANKS_A_WORD] |= LANE << (rank % RANKS_A_WORD * STRIDE);
            rank += 1;
        }
        points
    }

    /// The set with one more point, at compile time.
    pub(super) const fn with(self, point: Point) -> Points {
        let mut words = self.0;
        words[point.index() / 64] |= 1 << (point.index() % 64);
        Points(words)
    }

    #[inline]
    pub(super) const fn contains(self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 != 0
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    #[inline]
    pub(super) fn meets(self, other: Points) -> bool {
        !(self & other).is_empty()
    }

    pub(super) const fn count(self) -> usize {
        (self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()) as usize
    }

    /// The points of both sets, at compile time.
    pub(super) const fn union(self, other: Points) -> Points {
        Points([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }

    /// The points that are not in `other`.
    #[inline]
    pub(super) const fn without(self, other: Points) -> Points {
        Points([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
    }

    /// The set when the ranks are turned over.
    #[inline]
    pub(super) const fn turned(self) -> Points {
        Points([turn_word(self.0[2]), turn_word(self.0[1]), turn_word(self.0[0])])
    }

    /// The set as `side` sees it.
    #[inline]
    pub(super) const fn seen_by(self, side: Side) -> Points {
        match side {
            Side::Red => self,
            Side::Black => self.turned(),
        }
    }

    /// All bits below that of `point`, those beside the board included.
    #[inline]
    pub(super) const fn below(point: Point) -> Points {
        let (word, place) = ((1 << (point.index() % 64)) - 1, point.index() / 64);
        Points([
            if place == 0 { word } else { u64::MAX },
            if place == 1 {
                word
            } else if place > 1 {
                u64::MAX
            } else {
                0
            },
            if place == 2 { word } else { 0 },
        ])
    }

    /// The occupied points of a rank, the first file in the lowest bit.
    #[inline]
    pub(super) const fn lane(self, rank: usize) -> u64 {
        self.0[rank / RANKS_A_WORD] >> (rank % RANKS_A_WORD * STRIDE) & LANE
    }

    /// The points of `lane` in a rank.
    #[inline]
    pub(super) const fn from_lane(lane: u64, rank: usize) -> Points {
        Points::from_word((lane & LANE) << (rank % RANKS_A_WORD * STRIDE), rank / RANKS_A_WORD)
    }

    /// At most `count` of the points, the lowest ones.
    #[inline]
    pub(super) fn lowest(self, count: usize) -> Points {
        if self.count() <= count { self } else { self.iter().take(count).fold(Points::EMPTY, Points::with) }
    }

    /// The set as words, each with the square of its lowest bit.
    #[inline]
    pub(super) fn words(self) -> [(u64, usize); 3] {
        let squares = RANKS_A_WORD * FILES;
        [(self.0[0], 0), (self.0[1], squares), (self.0[2], 2 * squares)]
    }

    /// The points in ascending order.
    #[inline]
    pub(super) const fn iter(self) -> PointsIter {
        PointsIter { words: self.0 }
    }
}

/// The four ranks of a word in the opposite order.
#[inline]
const fn turn_word(word: u64) -> u64 {
    let halves = word.rotate_left(32);
    (halves & 0x0000_FFFF_0000_FFFF) << 16 | (halves >> 16) & 0x0000_FFFF_0000_FFFF
}

impl BitAnd for Points {
    type Output = Points;

    #[inline]
    fn bitand(self, other: Points) -> Points {
        Points([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }
}

impl BitOr for Points {
    type Output = Points;

    #[inline]
    fn bitor(self, other: Points) -> Points {
        Points([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }
}

impl BitXor for Points {
    type Output = Points;

    #[inline]
    fn bitxor(self, other: Points) -> Points {
        Points([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1], self.0[2] ^ other.0[2]])
    }
}

impl BitOrAssign for Points {
    #[inline]
    fn bitor_assign(&mut self, other: Points) {
        *self = *self | other;
    }
}

impl BitXorAssign for Points {
    #[inline]
    fn bitxor_assign(&mut self, other: Points) {
        *self = *self ^ other;
    }
}

impl IntoIterator for Points {
    type Item = Point;
    type IntoIter = PointsIter;

    fn into_iter(self) -> PointsIter {
        self.iter()
    }
}

/// The points of a set in ascending order.
#[derive(Clone, Debug)]
pub struct PointsIter {
    words: [u64; 3],
}

impl Iterator for PointsIter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        for (index, word) in self.words.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Point((index * 64 + bit) as u8));
            }
        }
        None
    }

    /// Word by word, without asking for each point which word is next: move lists are written by this.
    #[inline]
    fn fold<B, F: FnMut(B, Point) -> B>(self, init: B, mut join: F) -> B {
        let mut result = init;
        for (index, mut word) in self.words.into_iter().enumerate() {
            while word != 0 {
                let bit = word.trailing_zeros() as usize;
                word &= word - 1;
                result = join(result, Point((index * 64 + bit) as u8));
            }
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(texts: &[&str]) -> Points {
        texts.iter().fold(Points::EMPTY, |set, text| {
            let square = fen::parse_square(text, FILES, RANKS).unwrap();
            set.with(Point::from_square(square))
        })
    }

    #[test]
    fn points_and_squares_are_counted_in_the_same_order() {
        assert_eq!(Points::BOARD.count(), SQUARES);
        assert!(Points::BOARD.iter().map(Point::square).eq(0..SQUARES));
        assert!((0..SQUARES).map(Point::from_square).eq(Points::BOARD));
        let mut folded = Vec::new();
        Points::BOARD.iter().for_each(|point| folded.push(point));
        assert!(folded.into_iter().eq(Points::BOARD));
    }

    #[test]
    fn turning_a_set_over_turns_each_point() {
        let some = set(&["a1", "m1", "c4", "d5", "g6", "h7", "b9", "m12"]);
        let turned = some.iter().fold(Points::EMPTY, |set, point| set.with(point.turned()));
        assert_eq!(some.turned(), turned);
        assert_eq!(turned, set(&["a12", "m12", "c9", "d8", "g7", "h6", "b4", "m1"]));
        assert_eq!(turned.turned(), some);
        assert_eq!(Points::BOARD.turned(), Points::BOARD);
    }

    #[test]
    fn ranges_are_where_they_say() {
        assert_eq!(Points::ranks(0, HALF).turned(), Points::ranks(HALF, HALF));
        for point in Points::BOARD {
            let below = Points::below(point) & Points::BOARD;
            assert!(below.iter().eq(Points::BOARD.iter().take_while(|&other| other < point)));
            assert_eq!(Points::from_lane(Points::of(point).lane(point.rank()), point.rank()), Points::of(point));
        }
    }
}
