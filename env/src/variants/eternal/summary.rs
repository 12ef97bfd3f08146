//! The rules in short and the ways to write a turn, for a person at a board. `docs/rules.md` has the whole rules.

use crate::game::Summary;

/// What a player of any Eternal variant needs to know.
pub(super) const SUMMARY: Summary = Summary {
    rules: "\
aim      end a move in the other palace: that scores a point, and 4 points win (1 in eternal-mini)
palaces  red's d1 e1 d2 e2, black's d8 e8 d9 e9; in eternal-mini c1 d1 and c7 d7; the river is the rank in the middle
turn     up to three steps: a return, a move, a drop
return   only if an enemy piece stands in your palace: first put it on an empty square of its owner's side
move     always: move one of your pieces, to an empty square or capturing
drop     only if a piece was captured: put it on an empty square of its owner's side; no piece ever leaves the game
capture  an enemy piece, one of your own, or a stone (*); a captured stone is gone
safety   nothing that stands in a palace can be captured; after every step a palace may hold one piece of its owner
         at most; drops and returns may go into the palace of the piece's owner, but never onto the river
pieces   R rook    any distance along a rank or file
         N knight  the leap of chess; nothing blocks it
         C cannon  moves like R; captures what stands behind exactly one piece or stone on its line
         B bishop  any distance along a diagonal
         M mimic   moves and captures as every R, N, C and B, of either side, next to it; alone it cannot move
         P pawn    jumps over one adjacent R, N, C or B, of either side, in any direction onto the square behind it,
                   as often as it likes; a capture ends its move
end      a side without a legal step loses; the third occurrence of a position and the limit of turns are draws
start    eternal-free: each side first places its 12 pieces, 4 a turn, on its own side but outside its palace
         eternal-fixed: a fixed set-up; eternal-mini: a random one of R R N N C C a side on the small board
",
    writing: "\
a turn is its squares, one after the other; step by step you write
  a6c8   a move from a6 to c8; a pawn's step has its start and end alone
  <h9    a return: the enemy piece in your palace goes to h9
  >h8    a drop: the captured piece goes to h8 (`h8` will do)
  Nb3    a placement, before the game begins
so `h9a6c8h8` is a return to h9, a move from a6 to c8 that captures, and a drop on h8
a turn may end with a mark, which you need not write:
  x      the same player could score in a next turn made at once, unless the opponent answers
  +      it scored
  #      it scored the winning point
",
};
