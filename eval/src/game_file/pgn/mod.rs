//! PGN: tags, then numbered turns with comments.
//!
//! The form is that of the Portable Game Notation (Steven J. Edwards, 1994), with `Red` for `White` and without its restriction to
//! chess. Files of Xiangqi follow it loosely (xqbase.com/protocol/cchess_pgn.htm): moves in Chinese characters, points or WXF,
//! named by the tag `Format`, dots of any kind behind the numbers.

mod read;
mod scan;
mod tag;
mod write;

pub(super) use read::build;
pub(super) use scan::Scanner;
pub(super) use write::remark;
pub use write::write_pgn;
