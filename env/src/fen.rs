//! What the position texts of all families share: fields, the board's ranks, squares and numbers.

use std::fmt::Display;

use crate::notation::FenError;

/// Splits a position text into its fields, whose `names` appear in the errors; `form` is how the whole text looks.
pub(crate) fn fields<'a, const N: usize>(
    text: &'a str,
    names: [&'static str; N],
    form: &str,
) -> Result<[&'a str; N], FenError> {
    let mut parts = text.split_whitespace();
    let mut found = [""; N];
    for (field, name) in found.iter_mut().zip(names) {
        *field = parts.next().ok_or_else(|| FenError::new(name, format!("missing, expected `{form}`")))?;
    }
    match (parts.next(), names.last()) {
        (Some(rest), Some(last)) => {
            Err(FenError::new(last, format!("`{rest}` follows it, expected the end of the text")))
        }
        _ => Ok(found),
    }
}

/// The board field: ranks from the top, counts of empty squares in decimal. `piece` is the text of what is on a square.
pub(crate) fn board_text<T: Display>(files: usize, ranks: usize, piece: impl Fn(usize) -> Option<T>) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for square in rank * files..(rank + 1) * files {
            match piece(square) {
                Some(piece) => {
                    push_count(&mut text, empty);
                    text.push_str(&piece.to_string());
                    empty = 0;
                }
                None => empty += 1,
            }
        }
        push_count(&mut text, empty);
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn push_count(text: &mut String, empty: usize) {
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
}

/// What is written on the squares of the board field, each with its square: a character, or `+` and a character.
pub(crate) fn read_board(text: &str, files: usize, ranks: usize) -> Result<Vec<(usize, &str)>, FenError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ranks {
        return Err(FenError::new("board", format!("{} ranks, expected {ranks}", rows.len())));
    }
    let mut found = Vec::new();
    for (row, rank) in rows.iter().zip((0..ranks).rev()) {
        let error = |problem: String| FenError::new("board", format!("rank {} `{row}` {problem}", rank + 1));
        let pieces = read_rank(row, files).map_err(error)?;
        found.extend(pieces.into_iter().map(|(file, piece)| (rank * files + file, piece)));
    }
    Ok(found)
}

/// The pieces of one rank with their files; the error says what is wrong with the rank.
fn read_rank(row: &str, files: usize) -> Result<Vec<(usize, &str)>, String> {
    let mut pieces = Vec::new();
    let (mut file, mut rest) = (0_usize, row);
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let length = match first {
            _ if digits > 0 => {
                file = file.saturating_add(read_empty_count(&rest[..digits], files)?);
                digits
            }
            '+' => {
                let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                pieces.push((file, &rest[..length]));
                file += 1;
                length
            }
            _ => {
                pieces.push((file, &rest[..first.len_utf8()]));
                file += 1;
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    if file != files {
        return Err(format!("has {file} squares, expected {files}"));
    }
    Ok(pieces)
}

/// A number of empty squares, of which a board of up to nine files has one digit's worth.
fn read_empty_count(digits: &str, files: usize) -> Result<usize, String> {
    if files < 10 && digits.len() > 1 {
        return Err("has two digits side by side, expected their sum".to_owned());
    }
    if digits.starts_with('0') {
        return Err(format!("counts {digits} empty squares"));
    }
    digits.parse().map_err(|_| format!("counts {digits} empty squares, expected at most {files}"))
}

/// Reads a decimal number up to `most`, without sign or leading zeros.
pub(crate) fn read_number(text: &str, most: u16) -> Option<u16> {
    let is_canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_canonical { text.parse().ok().filter(|&number| number <= most) } else { None }
}

/// The text of a square, `a1`.
pub(crate) fn square_text(square: usize, files: usize) -> String {
    format!("{}{}", (b'a' + (square % files) as u8) as char, square / files + 1)
}

/// Reads a square at the beginning of a text, and returns it with what follows: a file letter and all digits after it.
pub(crate) fn split_square(text: &str, files: usize, ranks: usize) -> Option<(usize, &str)> {
    let file = text.bytes().next()?.checked_sub(b'a')? as usize;
    let after = text.get(1..)?;
    let rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rank = read_number(&after[..after.len() - rest.len()], ranks as u16)? as usize;
    (file < files && rank >= 1).then(|| ((rank - 1) * files + file, rest))
}

/// Reads the text of a square.
pub(crate) fn parse_square(text: &str, files: usize, ranks: usize) -> Option<usize> {
    split_square(text, files, ranks).filter(|(_, rest)| rest.is_empty()).map(|(square, _)| square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_texts_round_trip_and_others_are_refused() {
        for (files, ranks) in [(6, 7), (8, 9), (9, 10), (13, 12)] {
            for square in 0..files * ranks {
                assert_eq!(parse_square(&square_text(square, files), files, ranks), Some(square));
            }
            for text in ["", "a", "a0", "a01", "a13", "n1", "A1", "1a", "é", "é1", "a1b", "a99999999999"] {
                assert_eq!(parse_square(text, files, ranks), None, "{text}");
            }
        }
        assert_eq!(split_square("m12a1", 13, 12), Some((155, "a1")));
        assert_eq!(split_square("m12@d5", 13, 12), Some((155, "@d5")));
    }

    #[test]
    fn boards_are_read_and_written() {
        let text = "1+p11/13/R11+é";
        let pieces = read_board(text, 13, 3).expect("a board");
        assert_eq!(pieces, [(27, "+p"), (0, "R"), (12, "+é")]);
        let piece = |square| pieces.iter().find(|&&(place, _)| place == square).map(|&(_, piece)| piece);
        assert_eq!(board_text(13, 3, piece), text);
        for (text, problem) in [
            ("13/13", "2 ranks, expected 3"),
            ("13/13/12", "rank 1 `12` has 12 squares, expected 13"),
            ("13/013/13", "rank 2 `013` counts 013 empty squares"),
            ("13/+/13", "rank 2 `+` has 1 squares, expected 13"),
            (
                "99999999999999999999/13/13",
                "rank 3 `99999999999999999999` counts 99999999999999999999 empty squares, expected at most 13",
            ),
        ] {
            assert_eq!(read_board(text, 13, 3), Err(FenError::new("board", problem)), "{text}");
        }
    }
}
