//! Lines from outside, none of which can fill the memory.

use std::io::{self, BufRead, Read};

use thiserror::Error;

use crate::cli::InputError;

/// Longer lines are no lines; they would be kept in memory as a whole.
pub(crate) const LINE_BYTES_MAX: u64 = 16 << 20;

/// Why a line cannot be read as one. The lines after it can.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum BadLine {
    #[error("line longer than {LINE_BYTES_MAX} bytes")]
    TooLong,
    #[error("line is not UTF-8 at byte {0}")]
    NotText(usize),
}

/// The next line without blanks at its ends, or what is wrong with it; `None` at the end of the input. `buffer` is memory for it.
///
/// # Errors
/// If the input cannot be read.
pub(crate) fn next_line<'a>(
    input: &mut impl BufRead,
    buffer: &'a mut Vec<u8>,
) -> io::Result<Option<Result<&'a str, BadLine>>> {
    buffer.clear();
    input.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', buffer).map_err(InputError::wrap)?;
    if buffer.is_empty() {
        return Ok(None);
    }
    if buffer.len() as u64 > LINE_BYTES_MAX && !buffer.ends_with(b"\n") {
        skip_to_line_end(input)?;
        return Ok(Some(Err(BadLine::TooLong)));
    }
    let text = std::str::from_utf8(buffer).map_err(|error| BadLine::NotText(error.valid_up_to() + 1));
    Ok(Some(text.map(str::trim)))
}

fn skip_to_line_end(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf().map_err(InputError::wrap)?;
        let (length, is_end) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(position) => (position + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        input.consume(length);
        if is_end {
            return Ok(());
        }
    }
}

/// The most characters of an error's text, which may quote what was read.
const ERROR_CHARACTERS_MAX: usize = 400;

/// `text` without anything that a reader may take for the end of a line, and not too long.
pub(crate) fn on_one_line(text: &str) -> String {
    let is_break = |character: char| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}');
    let mut line: String = text.chars().take(ERROR_CHARACTERS_MAX).map(|c| if is_break(c) { ' ' } else { c }).collect();
    if text.chars().nth(ERROR_CHARACTERS_MAX).is_some() {
        line.push('…');
    }
    line
}
