//! The rules in short and the ways to write a move, for a person at a board. `docs/rules.md` has the whole rules.

use crate::game::Summary;

/// What a player needs to know.
pub(super) const SUMMARY: Summary = Summary {
    rules: "\
aim      attack the enemy general so that it cannot be saved; who has no legal move loses, in check or not
board    pieces stand on the points of 9 files a-i and 10 ranks 1-10; the river runs between ranks 5 and 6;
         palaces are d-f, ranks 1-3 (red) and 8-10 (black)
turn     one move, onto an empty point or capturing an enemy piece; red begins
pieces   K general   one step along a line, inside the palace; the generals never face each other on an open file
         A advisor   one step diagonally, inside the palace
         B elephant  two steps diagonally, on its own side; blocked by a piece in between
         N horse     one step along a line, then one diagonally outward; blocked by a piece on the first step
         R chariot   any distance along a line
         C cannon    moves like R; captures over exactly one piece
         P soldier   one step forward; across the river also sideways; never back
draws    60 rounds without a capture; the third occurrence of a position, unless one side alone gave check, or
         chased an unprotected piece, with every move since the first: that side loses
",
    writing: "\
a move is its start and its end: `h3e3`
so are the forms that players write: `炮二平五` or `炮8平5` (traditional characters too), and `C2=5`
",
};
