//! Moves between two points of the board, with the first rank called 1 as in UCI, or 0 as in UCCI, xboard and the Cyclone dialect
//! of UCI.

/// The files and ranks of Xiangqi.
const FILES: std::ops::RangeInclusive<u8> = b'a'..=b'i';
const RANKS: u8 = 10;

/// How an engine or a client writes the turns of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// Two points of a board of 9 files and 10 ranks, the first of which has this number.
    Points {
        /// 0 or 1.
        first_rank: u8,
    },
    /// As we do.
    Same,
}

impl Writing {
    /// Our turn as the engine writes it.
    pub(crate) fn write(self, turn: &str) -> String {
        let Writing::Points { first_rank } = self else { return turn.to_owned() };
        points(turn, 1).map_or_else(|| turn.to_owned(), |points| written(points, first_rank))
    }

    /// The engine's turn as we write it; `None` if it is no turn.
    pub(crate) fn read(self, turn: &str) -> Option<String> {
        match self {
            Writing::Points { first_rank } => points(turn, first_rank).map(|points| written(points, 1)),
            Writing::Same => (!turn.is_empty()).then(|| turn.to_owned()),
        }
    }

    /// What a turn looks like, for error messages.
    pub(super) fn example(self) -> &'static str {
        match self {
            Writing::Points { first_rank: 0 } => "a move like `h2e2`, files a to i and ranks 0 to 9",
            Writing::Points { .. } => "a move like `h3e3`, files a to i and ranks 1 to 10",
            Writing::Same => "a turn",
        }
    }

    /// The turns of a line that an engine expects, as far as they can be read.
    pub(super) fn read_all<'a>(self, turns: impl Iterator<Item = &'a str>) -> Vec<String> {
        turns.map_while(|turn| self.read(turn)).collect()
    }
}

/// A file's letter and a rank, counted from 0, twice.
type Points = [(u8, u8); 2];

fn points(text: &str, first_rank: u8) -> Option<Points> {
    let (from, rest) = point(text.as_bytes(), first_rank)?;
    let (to, rest) = point(rest, first_rank)?;
    rest.is_empty().then_some([from, to])
}

fn point(text: &[u8], first_rank: u8) -> Option<((u8, u8), &[u8])> {
    let (file, rest) = text.split_first()?;
    let file = file.to_ascii_lowercase();
    let digits = rest.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let rank = std::str::from_utf8(&rest[..digits]).ok()?.parse::<u8>().ok()?.checked_sub(first_rank)?;
    (FILES.contains(&file) && rank < RANKS).then_some(((file, rank), &rest[digits..]))
}

fn written(points: Points, first_rank: u8) -> String {
    points.map(|(file, rank)| format!("{}{}", char::from(file), rank + first_rank)).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_counted_as_the_engine_counts_them() {
        let from_zero = Writing::Points { first_rank: 0 };
        for (ours, theirs) in [("h3e3", "h2e2"), ("a1a10", "a0a9"), ("i10i9", "i9i8")] {
            assert_eq!(from_zero.write(ours), theirs);
            assert_eq!(from_zero.read(theirs).as_deref(), Some(ours));
            assert_eq!(Writing::Points { first_rank: 1 }.read(ours).as_deref(), Some(ours));
        }
        for text in ["", "h2", "h2e", "j2e2", "h2e10", "h10e2", "h2e2q", "00", "é2e2", "h2e2 "] {
            assert_eq!(from_zero.read(text), None, "{text}");
        }
        assert_eq!(Writing::Same.read("a1-b2+x").as_deref(), Some("a1-b2+x"));
    }
}
