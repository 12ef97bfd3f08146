//! A terminal that bars leave some room on.

use std::io;
use std::sync::{Mutex, PoisonError};

use console::{AnsiCodeIterator, Term, measure_text_width};
use indicatif::{ProgressDrawTarget, TermLike};

/// Columns at the right edge that bars leave free for the `^C` of an interrupt. With it in the next line, the bars would
/// be cleared one line too low.
const FREE_COLUMNS: u16 = 3;

/// Where bars are drawn: the terminal of standard error, or nowhere if it is none.
pub(super) fn target() -> ProgressDrawTarget {
    let terminal = Term::buffered_stderr();
    let is_dumb = std::env::var("TERM").is_ok_and(|name| name == "dumb");
    if !terminal.is_term() || is_dumb {
        return ProgressDrawTarget::hidden();
    }
    ProgressDrawTarget::term_like_with_hz(Box::new(Narrow { terminal, column: Mutex::new(0) }), 10)
}

/// A terminal that looks narrower than it is. Bars fill lines and trust that the next character goes into the next one.
#[derive(Debug)]
struct Narrow {
    terminal: Term,
    /// Where the next character goes, in the line from 0 to the width, which is behind a full line.
    column: Mutex<usize>,
}

impl Narrow {
    fn set_column(&self, column: usize) {
        *self.column.lock().unwrap_or_else(PoisonError::into_inner) = column;
    }
}

impl TermLike for Narrow {
    fn width(&self) -> u16 {
        self.terminal.size().1.saturating_sub(FREE_COLUMNS).max(1)
    }

    fn height(&self) -> u16 {
        self.terminal.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.terminal.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.terminal.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.terminal.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.terminal.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)?;
        self.set_column(0);
        self.terminal.write_line("")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let mut column = self.column.lock().unwrap_or_else(PoisonError::into_inner);
        self.terminal.write_str(&wrap(text, &mut column, usize::from(self.width())))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.set_column(0);
        self.terminal.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.terminal.flush()
    }
}

/// Breaks `text` where lines of `width` columns are full, the first one from `column` on, which moves along.
fn wrap(text: &str, column: &mut usize, width: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    for (part, is_code) in AnsiCodeIterator::new(text) {
        if is_code {
            wrapped.push_str(part);
            continue;
        }
        for character in part.chars() {
            let is_return = character == '\r';
            if *column >= width && !is_return {
                wrapped.push('\n');
                *column = 0;
            }
            wrapped.push(character);
            *column = if is_return { 0 } else { *column + measure_text_width(character.encode_utf8(&mut [0; 4])) };
        }
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_lines_are_broken_where_the_next_one_begins() {
        let mut column = 0;
        let written: Vec<String> = ["\r", "abc", "  ", "\u{1b}[32mdefgh\u{1b}[0m", "ij", "\r", "x"]
            .map(|text| wrap(text, &mut column, 5))
            .into();
        assert_eq!(written, ["\r", "abc", "  ", "\u{1b}[32m\ndefgh\u{1b}[0m", "\nij", "\r", "x"]);
        assert_eq!(column, 1);
    }
}
