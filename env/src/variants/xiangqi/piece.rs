//! Kinds and pieces.

use crate::Side;

/// A kind of piece (RULES 2), in the order in which planes list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// 帅, 将
    General,
    /// 仕, 士
    Advisor,
    /// 相, 象
    Elephant,
    /// 马
    Horse,
    /// 车
    Chariot,
    /// 炮
    Cannon,
    /// 兵, 卒
    Soldier,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] =
        [Kind::General, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Chariot, Kind::Cannon, Kind::Soldier];

    /// Position in [`Kind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter in position texts.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"][self as usize]
    }

    /// How many of its kind a side begins with.
    pub const fn count(self) -> usize {
        [1, 2, 2, 2, 2, 2, 5][self as usize]
    }

    /// The kind with this upper-case letter; `H` is a horse and `E` an elephant for those who write English.
    pub fn from_letter(letter: char) -> Option<Kind> {
        match letter {
            'H' => Some(Kind::Horse),
            'E' => Some(Kind::Elephant),
            _ => Kind::ALL.into_iter().find(|kind| kind.letter() == letter),
        }
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
    /// Number of different pieces.
    pub(super) const COUNT: usize = 2 * Kind::ALL.len();

    /// A number below [`Piece::COUNT`].
    pub(super) const fn index(self) -> usize {
        self.side.index() * Kind::ALL.len() + self.kind.index()
    }

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

    /// The character on the piece, in simplified writing.
    pub const fn character(self) -> char {
        const CHARACTERS: [[char; 7]; 2] =
            [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']];
        CHARACTERS[self.side.index()][self.kind.index()]
    }
}
