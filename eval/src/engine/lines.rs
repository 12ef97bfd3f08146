//! Lines from a program that may write anything.

use std::io::{self, BufRead};

/// The most bytes of a line that are kept. The longest honest lines are lists of options and of expected moves.
const LINE_BYTES_MAX: usize = 64 << 10;

/// Hands every line of `input` to `take`, without its end, until the input ends or `take` wants no more. What is longer
/// than [`LINE_BYTES_MAX`] is cut off; bytes that are no UTF-8 are replaced.
pub(super) fn for_each_line(mut input: impl BufRead, mut take: impl FnMut(String) -> bool) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            if !line.is_empty() {
                take(text(&line));
            }
            return Ok(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&part[..part.len().min(LINE_BYTES_MAX - line.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            if !take(text(&line)) {
                return Ok(());
            }
            line.clear();
        }
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches('\r').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        let input = io::BufReader::with_capacity(7, input);
        for_each_line(input, |line| {
            lines.push(line);
            true
        })
        .unwrap();
        lines
    }

    #[test]
    fn lines_end_in_any_way_and_may_hold_any_byte() {
        assert_eq!(
            lines(b"uciok\r\n\nreadyok\nid name \xff\nlast"),
            ["uciok", "", "readyok", "id name \u{fffd}", "last"]
        );
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let mut input = vec![b'x'; 3 * LINE_BYTES_MAX];
        input.extend_from_slice(b"\nbestmove a1a2\n");
        let lines = lines(&input);
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [LINE_BYTES_MAX, 13]);
    }
}
