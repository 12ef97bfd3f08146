//! Kinds and pieces.

use crate::Side;

/// A kind of piece (RULES 1.2), in the order in which hands are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// 车
    Rook,
    /// 马
    Knight,
    /// 包
    Cannon,
    /// 象
    Bishop,
    /// 士
    Mimic,
    /// 兵, 卒
    Pawn,
}

impl Kind {
    /// All kinds; those of `eternal-mini` come first.
    pub const ALL: [Kind; 6] = [Kind::Rook, Kind::Knight, Kind::Cannon, Kind::Bishop, Kind::Mimic, Kind::Pawn];

    /// Position in [`Kind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter.
    pub const fn letter(self) -> char {
        ['R', 'N', 'C', 'B', 'M', 'P'][self as usize]
    }

    /// The kind with this upper-case letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// What a side is called.
pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
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
    /// The letter in position texts: red upper case, black lower case.
    pub const fn letter(self) -> char {
        match self.side {
            Side::Red => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let kind = Kind::from_letter(letter.to_ascii_uppercase())?;
        let side = if letter.is_ascii_uppercase() { Side::Red } else { Side::Black };
        Some(Piece { side, kind })
    }
}
