//! Where a person's lines come from: an editor with history on a terminal, plain lines elsewhere.

use std::io::{self, BufRead, IsTerminal};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::cli::InputError;

/// A source of lines.
pub(super) trait Lines {
    /// The next line without its end; `None` when there are no more, or when the person leaves with Ctrl-C or Ctrl-D.
    ///
    /// # Errors
    /// If the source cannot be read.
    fn next_line(&mut self, prompt: &str) -> io::Result<Option<String>>;
}

/// Standard input: an editor with history if it is a terminal.
///
/// # Errors
/// If the terminal cannot be used.
pub(super) fn standard_input() -> io::Result<Box<dyn Lines>> {
    if io::stdin().is_terminal() {
        Ok(Box::new(Editor(DefaultEditor::new().map_err(io_error)?)))
    } else {
        Ok(Box::new(Plain(io::stdin().lock())))
    }
}

/// Lines of any reader, without prompts.
pub(super) struct Plain<R>(pub(super) R);

impl<R: BufRead> Lines for Plain<R> {
    fn next_line(&mut self, _prompt: &str) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.0.read_until(b'\n', &mut bytes).map_err(InputError::wrap)? == 0 {
            return Ok(None);
        }
        // A line that is not UTF-8 is a wrong line, not the end of the game.
        Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()))
    }
}

struct Editor(DefaultEditor);

impl Lines for Editor {
    fn next_line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        loop {
            match self.0.readline(prompt) {
                Ok(line) => {
                    self.0.add_history_entry(&line).map_err(io_error)?;
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(None),
                Err(ReadlineError::Signal(_)) => {}
                Err(error) => return Err(io_error(error)),
            }
        }
    }
}

fn io_error(error: ReadlineError) -> io::Error {
    InputError::wrap(match error {
        ReadlineError::Io(error) => error,
        other => io::Error::other(other),
    })
}
