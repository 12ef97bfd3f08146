//! Kinds and pieces (RULES 3.2).

use crate::Side;

/// A kind of piece, in the order of its planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// 聖, 哲
    General,
    /// 仕
    Guard,
    /// 卿
    Minister,
    /// 車
    Rook,
    /// 馬
    Knight,
    /// 蚩
    Camel,
    /// 炮
    Cannon,
    /// 象
    Bishop,
    /// 艾
    Blocker,
    /// 震
    Bomb,
    /// 兵, 卒
    Pawn,
    /// A pawn that has become minister, knight and camel in one.
    Promoted,
}

/// Number of kinds.
pub(super) const KINDS: usize = Kind::ALL.len();

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 12] = [
        Kind::General,
        Kind::Guard,
        Kind::Minister,
        Kind::Rook,
        Kind::Knight,
        Kind::Camel,
        Kind::Cannon,
        Kind::Bishop,
        Kind::Blocker,
        Kind::Bomb,
        Kind::Pawn,
        Kind::Promoted,
    ];

    /// Position in [`Kind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter; a promoted pawn has that of a pawn and a `+` before it.
    pub const fn letter(self) -> char {
        ['K', 'A', 'Q', 'R', 'N', 'L', 'C', 'B', 'X', 'Z', 'P', 'P'][self as usize]
    }
}

/// What a side is called.
pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "green",
    }
}

/// A piece of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its owner.
    pub side: Side,
    /// Its kind.
    pub kind: Kind,
}

impl Piece {
    /// The text in position texts: red upper case, green lower case, `+` before a promoted pawn.
    pub fn text(self) -> String {
        let letter = match self.side {
            Side::Red => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        };
        if self.kind == Kind::Promoted { format!("+{letter}") } else { letter.to_string() }
    }

    /// The piece with this text.
    pub fn from_text(text: &str) -> Option<Piece> {
        Side::BOTH
            .into_iter()
            .flat_map(|side| Kind::ALL.map(|kind| Piece { side, kind }))
            .find(|piece| piece.text() == text)
    }

    /// The piece as people name it: `green Z`.
    pub(super) fn name(self) -> String {
        let promoted = if self.kind == Kind::Promoted { "+" } else { "" };
        format!("{} {promoted}{}", side_name(self.side), self.kind.letter())
    }

    /// A number below 24.
    pub(super) const fn number(self) -> usize {
        self.side.index() * KINDS + self.kind.index()
    }
}
