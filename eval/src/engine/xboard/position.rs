//! Positions of Xiangqi as xboard writes them.

/// The text of a position as xboard has it: horses and elephants are `h` and `e` instead of `n` and `b`, the side is `w`
/// or `b`, and there are no fields for castling and en passant. HoiXiangqi takes no other form; Fairy-Stockfish takes both.
pub(super) fn xboard_fen(fen: &str) -> String {
    let mut fields = fen.split_ascii_whitespace();
    let board: String = fields.next().unwrap_or_default().chars().map(letter).collect();
    let side = if fields.next() == Some("b") { "b" } else { "w" };
    let numbers: Vec<&str> = fields.filter(|field| *field != "-").collect();
    let number = |index: usize, usual| numbers.get(index).copied().unwrap_or(usual);
    format!("{board} {side} {} {}", number(0, "0"), number(1, "1"))
}

fn letter(letter: char) -> char {
    match letter {
        'n' => 'h',
        'N' => 'H',
        'b' => 'e',
        'B' => 'E',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn horses_and_elephants_have_the_letters_of_xboard() {
        assert_eq!(
            xboard_fen("rnbakabnr/9/1c5c1/9/9/9/9/1C5C1/9/RNBAKABNR b - - 3 7"),
            "rheakaehr/9/1c5c1/9/9/9/9/1C5C1/9/RHEAKAEHR b 3 7"
        );
        assert_eq!(xboard_fen("4k4/9 r"), "4k4/9 w 0 1");
    }
}
