//! Moves of Xiangqi with ranks from 1, as Fairy-Stockfish has them in UCI, and from 0 as in ICCS, UCCI and the Cyclone dialect of UCI.

/// `h3e3` as `h2e2`; nothing if the text is no move.
pub(super) fn from_uci(text: &str) -> Option<String> {
    shift(text, |rank| rank.checked_sub(1).filter(|&rank| rank < RANKS))
}

/// `h2e2` as `h3e3`.
pub(super) fn to_uci(text: &str) -> Option<String> {
    shift(text, |rank| (rank < RANKS).then_some(rank + 1))
}

const RANKS: u32 = 10;

fn shift(text: &str, rank: impl Fn(u32) -> Option<u32>) -> Option<String> {
    let (first, rest) = square(text)?;
    let (second, rest) = square(rest)?;
    let write = |(file, number): (char, u32)| Some(format!("{file}{}", rank(number)?));
    if rest.is_empty() { Some(write(first)? + &write(second)?) } else { None }
}

fn square(text: &str) -> Option<((char, u32), &str)> {
    let file = text.chars().next().filter(char::is_ascii_lowercase)?;
    let digits = text[1..].len() - text[1..].trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let number = text[1..=digits].parse().ok()?;
    Some(((file, number), &text[1 + digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_one_lower_in_iccs() {
        for (uci, iccs) in [("h3e3", "h2e2"), ("a10a9", "a9a8"), ("i1i10", "i0i9")] {
            assert_eq!(from_uci(uci).as_deref(), Some(iccs));
            assert_eq!(to_uci(iccs).as_deref(), Some(uci));
        }
        for text in ["", "h", "h3", "h3e", "h3e3x", "H3e3", "h0e3", "h3e11", "é3e3", "h99999999999e1"] {
            assert_eq!(from_uci(text), None, "{text}");
        }
        assert_eq!(to_uci("a10a9"), None);
    }
}
