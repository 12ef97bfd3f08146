//! DhtmlXQ, the blocks in which the site dpxq.com (东萍象棋网) and many others keep games of Xiangqi.
//!
//! What is known of the form comes from programs that read and write it, above all the board vschess
//! (github.com/FastLight126/vschess), and from the list of fields that comes with the DhtmlXQ board itself:
//!
//! - A field is `[DhtmlXQ_name]value[/DhtmlXQ_name]`; `[DhtmlXQ]` and `[/DhtmlXQ]` stand around the fields of a game.
//! - A point is two digits: the file from 0, from the left as red sees it, and the rank from 0, from the top. A move is two points.
//! - `binit` has the points of the 32 pieces in a fixed order, 99 for those that are not there; without it the game begins from the
//!   usual start. The side of the piece that moves first is to move.
//! - `comment0` is about the start, `commentN` about the move N from 1; `||` is the end of a line. `move_A_B_C` is a variation.

mod binit;
mod read;
mod scan;
mod write;

pub(super) use read::build;
pub(super) use scan::{Scanner, is_in};
pub use write::{NotXiangqi, write_dhtmlxq};

/// Names of fields, and of the tags that say the same.
const TAGS: [(&str, &str); 14] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("table", "Table"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("open", "Opening"),
    ("timerule", "TimeControl"),
    ("author", "Annotator"),
    ("owner", "Owner"),
];

/// What ends a line in a comment.
const LINE_END: &str = "||";
