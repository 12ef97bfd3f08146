//! `eval rules`: the rules as a line protocol for scripts, one answer line for each line.
//!
//! ```text
//! legal V FEN                steps in byte order
//! apply V FEN | STEP         position text after the step
//! result V FEN               ongoing, or the winner's name, or draw
//! perft V FEN DEPTH          number of step sequences
//! turn V FEN | TEXT          position text after a whole written turn
//! turns V FEN                all written turns in byte order
//! start V                    start text
//! game V FEN | STEP STEP …   RESULT REASON STEPS_PLAYED | position text
//! ```
//!
//! All but `game` judge a position by itself: what a text cannot tell, repetition and how a limit was come to, ends nothing.

mod commands;

use std::io::{self, BufRead, Write};

use thiserror::Error;

use crate::bounded_lines::{BadLine, next_line, on_one_line};

/// Why a line is not answered.
#[derive(Debug, Error)]
enum LineError {
    #[error(transparent)]
    Line(#[from] BadLine),
    #[error(transparent)]
    Command(#[from] commands::CommandError),
}

/// Answers each line of `input` with one line of `output`, at once, to the end of the input.
///
/// # Errors
/// If the input cannot be read or the output not be written. A bad line is no error: it is answered with one.
pub fn serve(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut buffer = Vec::new();
    while let Some(line) = next_line(&mut input, &mut buffer)? {
        match answer_to(line) {
            Ok(answer) => writeln!(output, "{answer}")?,
            Err(error) => writeln!(output, "error: {}", on_one_line(&error.to_string()))?,
        }
        output.flush()?;
    }
    Ok(())
}

fn answer_to(line: Result<&str, BadLine>) -> Result<String, LineError> {
    Ok(commands::answer(line?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounded_lines::LINE_BYTES_MAX;

    fn serve_bytes(input: &[u8]) -> Vec<String> {
        let mut output = Vec::new();
        serve(input, &mut output).unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    const START: &str = "r1n1/no/fen";

    #[test]
    fn every_line_gets_one_line_whatever_it_holds() {
        let mut input = b"\n  \nwhat is this\nlegal\nlegal chess x\nlegal eternal-mini\xff\n".to_vec();
        input.extend_from_slice(format!("legal eternal-mini {START}\r\napply\x0beternal-mini\r\n").as_bytes());
        input.extend_from_slice(b"start eternal-mini");
        let answers = serve_bytes(&input);
        assert_eq!(answers.len(), 9, "{answers:?}");
        assert!(answers[..8].iter().all(|answer| answer.starts_with("error: ")), "{answers:?}");
        assert!(!answers[8].starts_with("error"), "{}", answers[8]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut input = vec![b'x'; LINE_BYTES_MAX as usize + 100_000];
        input.extend_from_slice(b"\nstart eternal-mini\n");
        let answers = serve_bytes(&input);
        assert_eq!(answers.len(), 2);
        assert_eq!(answers[0], format!("error: line longer than {LINE_BYTES_MAX} bytes"));
        assert!(!answers[1].starts_with("error"));
    }

    #[test]
    fn an_error_is_one_short_line() {
        let answers = serve_bytes(format!("bad\rword\u{2028}{}\n", "y".repeat(100_000)).as_bytes());
        assert_eq!(answers.len(), 1);
        assert!(answers[0].chars().count() < 500);
        assert!(!answers[0].contains(['\r', '\u{2028}']));
    }
}
