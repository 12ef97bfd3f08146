//! A quick static value for alpha-beta search.
//!
//! No piece ever leaves the game, so material says nothing. What counts is the score, who can enter the enemy's palace
//! next and whose turn it is, and how much room the pieces have.

use super::board::Board;
use super::position::{Phase, Position};
use crate::Side;
use crate::bitboard::squares_of;

/// A point on the scoreboard, in hundredths of a typical piece.
const POINT: i32 = 1000;
/// What each point is worth beyond that for being closer to the win.
const CLOSER: i32 = 100;
/// The winning point can be scored at once.
const WINNING: i32 = 20_000;
/// A point that can be scored at once, where the enemy does not win in return.
const ENTRY: i32 = 800;
/// An enemy piece that could score next turn: one can be driven off, several hardly.
const THREAT: [i32; 4] = [0, 150, 500, 700];
/// How much more a threat weighs if it is one to win.
const THREAT_TO_WIN: i32 = 3;
/// A square that a piece can move to.
const MOBILITY: i32 = 4;
/// Early in the placement phase threats are still easily met: this fraction of their weight.
const PLACEMENT_DISCOUNT: i32 = 4;

/// What one side's pieces can do on the board as it stands.
#[derive(Clone, Copy, Debug)]
struct Activity {
    /// Squares that the pieces can move to, summed over pieces.
    mobility: i32,
    /// Pieces that can enter the enemy's palace.
    attackers: usize,
}

impl Activity {
    fn of<B: Board>(position: &Position<B>, side: Side) -> Activity {
        let goal = B::palace(side.other());
        // A piece in the enemy's palace is sent back before it moves again.
        let pieces = position.of_side(side) & !goal;
        squares_of(pieces).fold(Activity { mobility: 0, attackers: 0 }, |activity, from| {
            let reach = position.reach(from);
            Activity {
                mobility: activity.mobility + reach.count_ones() as i32,
                attackers: activity.attackers + usize::from(reach & goal != 0),
            }
        })
    }
}

/// The value for the side to decide, in hundredths of a typical piece.
pub(super) fn heuristic<B: Board>(position: &Position<B>) -> i32 {
    let side = position.side();
    let mover = next_to_move(position);
    let value = value_for_mover(position, mover);
    if mover == side { value } else { -value }
}

/// The side that makes the next move: a drop comes after the move, and after the placements red begins.
fn next_to_move<B: Board>(position: &Position<B>) -> Side {
    match position.phase() {
        Phase::Placement => Side::Red,
        Phase::Turn => position.side(),
        Phase::Drop => position.side().other(),
    }
}

fn value_for_mover<B: Board>(position: &Position<B>, mover: Side) -> i32 {
    let enemy = mover.other();
    let (own, other) = (Activity::of(position, mover), Activity::of(position, enemy));
    let wins_next = |side: Side| position.score()[side.index()] + 1 >= B::POINTS_TO_WIN;
    let settled = score_value(position, mover) - score_value(position, enemy);
    let room = MOBILITY * (own.mobility - other.mobility);
    let danger = THREAT[other.attackers.min(THREAT.len() - 1)] * if wins_next(enemy) { THREAT_TO_WIN } else { 1 };
    let prospects = match (own.attackers > 0, other.attackers > 0) {
        (true, _) if wins_next(mover) => WINNING,
        // To score would leave the enemy the win: the turn is needed for the defence.
        (true, true) if wins_next(enemy) => THREAT[1] - danger,
        // Both score in turn, and the mover is first.
        (true, true) => THREAT[1],
        (true, false) => ENTRY,
        (false, _) => -danger,
    };
    let is_early = position.phase() == Phase::Placement && position.hand_size(Side::Red) > 0;
    settled + room + if is_early { prospects / PLACEMENT_DISCOUNT } else { prospects }
}

fn score_value<B: Board>(position: &Position<B>, side: Side) -> i32 {
    let points = i32::from(position.score()[side.index()]);
    points * (POINT + CLOSER * points)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::variants::eternal::{Eternal, FREE_KEYS, FullBoard, LAYOUT_KEYS, MiniBoard, free_rules, mini_rules};
    use crate::variants::{Settings, VariantError};
    use crate::{Game, Notation, Purpose, Seeds};

    fn free() -> Result<<Eternal<FullBoard> as Game>::Rules, VariantError> {
        free_rules(&Settings::parse("eternal-free", "", FREE_KEYS)?)
    }

    fn mini(fen: &str) -> i32 {
        let rules = mini_rules(&Settings::parse("eternal-mini", "", LAYOUT_KEYS).unwrap()).unwrap();
        Eternal::<MiniBoard>::from_fen(&rules, fen).unwrap().heuristic()
    }

    /// The position text with the players exchanged.
    fn exchanged(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |letter: char| {
            if letter.is_lowercase() { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
        };
        let board: Vec<String> = fields[0].rsplit('/').map(|rank| rank.chars().map(swap).collect()).collect();
        let side = if fields[1] == "r" { "b" } else { "r" };
        let (own, other) = (|c: &char| c.is_ascii_uppercase(), |c: &char| c.is_ascii_lowercase());
        let hand: String = fields[2].chars().filter(other).chain(fields[2].chars().filter(own)).map(swap).collect();
        let hand = if fields[2] == "-" { "-" } else { &hand };
        let (red, black) = fields[3].split_once('-').unwrap();
        format!("{} {side} {hand} {black}-{red} {}", board.join("/"), fields[4])
    }

    #[test]
    fn mirrors_and_exchanged_players_have_the_same_value() {
        let rules = free().unwrap();
        let mut legal = Vec::new();
        for index in 0..4 {
            let mut rng = Seeds::new(1).stream(Purpose::Test, index);
            let mut game = Eternal::<FullBoard>::start(&rules, &mut rng);
            for step in 0..150 {
                game.legal_actions(&mut legal);
                if legal.is_empty() {
                    break;
                }
                game.apply(legal[rng.random_range(0..legal.len())]);
                assert_eq!(game.mirrored().heuristic(), game.heuristic(), "{}", game.fen());
                // In the placement phase the turn's number tells who is to decide.
                if step >= 24 {
                    let other = Eternal::<FullBoard>::from_fen(&rules, &exchanged(&game.fen())).unwrap();
                    assert_eq!(other.heuristic(), game.heuristic(), "{}", game.fen());
                }
            }
        }
    }

    #[test]
    fn a_win_at_hand_outweighs_everything_and_a_threat_to_win_costs() {
        let board = "r5/4rn/N1cR2/**nc1R/6/C5/C2N2";
        assert!(mini(&format!("{board} r - 0-0 27")) > WINNING / 2);
        // Black is to decide, cannot enter, and has to stop the knight on b6.
        let threatened = mini("n1c3/1N2r1/C2cr1/**1***/1n4/3R2/1RC1N1 b - 0-0 14");
        assert!(threatened < 0 && threatened > -WINNING / 2, "{threatened}");
    }

    #[test]
    fn a_pending_drop_is_judged_with_the_enemy_to_move() {
        // Red has captured with the rook, which would win at once if red were to move.
        assert!(mini("6/r3rn/N1cR2/**n2R/6/C5/C2N2 r c 0-0 27") < WINNING / 2);
    }
}
