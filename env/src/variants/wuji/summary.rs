//! The rules in short and the way to write a move, for a person at a board.

use crate::game::Summary;

/// What a player of any Wuji variant needs to know.
pub(super) const SUMMARY: Summary = Summary {
    rules: "\
aim      checkmate the other general (K)
board    13 files and 12 ranks; the river lies between ranks 6 and 7; palaces f1-h3 (red) and f10-h12 (green)
turn     move one piece; to capture, end the move on an enemy piece
safety   no move may leave your general attacked, or the two generals on one file with nothing between them
variants wuji-simple, wuji-advanced, and wuji-flexible with every difference a setting (as wuji-simple if not set)
         zone is the royal zone: the palace in wuji-simple, the own half in wuji-advanced
pieces   K general  one step in any direction inside its zone; never captures a bomb or a blocker
         A guard    one diagonal step inside the zone; or, from anywhere, to an empty point of the zone that lies
                    straight next to its general
         Q minister any distance along ranks, files and diagonals
         R rook     any distance along ranks and files
         N knight   the (1,2) leap of chess; nothing blocks it
         L camel    the (1,3) leap; nothing blocks it
         C cannon   moves like R; captures what stands behind exactly one piece on its line
         B bishop   any distance along diagonals
         X blocker  any distance along diagonals; only a bomb captures it; it captures a bomb in any direction, other
                    pieces only by moving backward from its own half
         Z bomb     moves like R; in wuji-advanced to any point at a distance of exactly 5, counted along ranks and
                    files together; when it captures or is captured, both pieces leave the board
         P pawn     one step forward; beyond the river also diagonally forward, in wuji-advanced also sideways;
                    on the last rank it becomes a Q, in wuji-advanced a +P, which is Q, N and L in one
end      checkmate wins; having no move without being in check, the third occurrence of a position, and 120 moves
         without a capture or a pawn move are draws; but who alone gave check all along loses by the repetition
throne   in wuji-advanced a checkmated player with a Q, or else an R, gives one of them up instead of losing: if it
         stands in the zone, K takes its point; if not, K goes to any empty point of the zone; K must be safe there
",
    writing: "\
a move is its start and its end; to take the throne, write what you give up, `@` and the general's new point
  f3f10  a move from f3 to f10
  d5@d5  the Q on d5 is given up, and K takes its point
  d9@g2  the Q on d9 is given up, and K goes to g2
",
};
