//! The points of the pieces at the start.

use heng_env::variants::xiangqi::{FILES, RANKS};

use super::super::error::Problem;
use super::scan::bad_field;

/// The order of the pieces, as letters of position texts.
const PIECES: &[u8; 32] = b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// The point of a piece that is not on the board.
const OFF: &str = "99";

const EXPECTED: &str = "64 digits, two for each piece: file 0-8 and rank 0-9, or 99, and no point twice";

/// Letters of pieces by rank from the top and file.
pub(super) type Board = [[Option<u8>; FILES]; RANKS];

/// Reads the points.
pub(super) fn read(text: &str) -> Result<Board, Problem> {
    let bad = || bad_field("binit", text, EXPECTED);
    if text.len() != 2 * PIECES.len() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(bad());
    }
    let mut board = Board::default();
    for (&piece, point) in PIECES.iter().zip(text.as_bytes().chunks_exact(2)) {
        let (file, rank) = (usize::from(point[0] - b'0'), usize::from(point[1] - b'0'));
        // A file that is not there takes the piece off the board, whatever the rank.
        if file < FILES && board[rank][file].replace(piece).is_some() {
            return Err(bad());
        }
    }
    Ok(board)
}

/// Writes the points of a board.
pub(super) fn write(board: &Board) -> String {
    let mut left = *board;
    let mut text = String::with_capacity(2 * PIECES.len());
    for &piece in PIECES {
        let found = (0..FILES).flat_map(|file| (0..RANKS).map(move |rank| (file, rank)));
        match found.into_iter().find(|&(file, rank)| left[rank][file] == Some(piece)) {
            Some((file, rank)) => {
                left[rank][file] = None;
                text.push_str(&format!("{file}{rank}"));
            }
            None => text.push_str(OFF),
        }
    }
    text
}

/// The board of a position text; empty ranks where it has none.
pub(super) fn from_fen(fen: &str) -> Board {
    let mut board = Board::default();
    let field = fen.split_whitespace().next().unwrap_or_default();
    for (rank, text) in board.iter_mut().zip(field.split('/')) {
        let mut file = 0;
        for letter in text.bytes() {
            match letter {
                b'0'..=b'9' => file += usize::from(letter - b'0'),
                _ => {
                    if let Some(place) = rank.get_mut(file) {
                        *place = Some(letter);
                    }
                    file += 1;
                }
            }
        }
    }
    board
}

/// The board field of a position text.
pub(super) fn to_fen(board: &Board) -> String {
    let rank_text = |rank: &[Option<u8>; FILES]| {
        let mut text = String::new();
        let mut empty = 0;
        for place in rank.iter().chain(&[Some(b'/')]) {
            match *place {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push(char::from(letter));
                }
            }
        }
        text.pop();
        text
    };
    board.iter().map(rank_text).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_start_is_read_in_either_order_and_written_in_one() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let from_left = "0919293949596979891777062646668600102030405060708012720323436383";
        let from_right = "8979695949392919097717866646260600102030405060708012720323436383";
        for text in [from_left, from_right] {
            assert_eq!(read(text).map(|board| to_fen(&board)).as_deref(), Ok(fen));
        }
        assert_eq!(write(&from_fen(fen)), from_left);
        let alone = "3k5/9/9/9/9/9/9/9/9/4K4";
        assert_eq!(read(&write(&from_fen(alone))).map(|board| to_fen(&board)).as_deref(), Ok(alone));
        for wrong in ["", "09", &from_left.replace("09", "19"), &from_left.replace('9', "x")] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
