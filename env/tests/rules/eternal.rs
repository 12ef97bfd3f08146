//! Cases of Eternal Chess worked out by hand (RULES 1): what is legal, how games end, and how turns are written.

use heng_env::notation::{TooManyTurns, every_turn};
use heng_env::variants::VariantVisitor;
use heng_env::{Action, Game, Notation, Outcome, Purpose, Reason, Seeds, Side, Variant};
use rand::RngExt;

use crate::variant;

/// What a position is after some steps.
#[derive(Debug)]
struct Seen {
    position: String,
    outcome: Option<(Option<Side>, Reason)>,
    steps: Vec<String>,
}

impl Seen {
    /// The ends of the legal moves that start on `from`, sorted.
    fn moves_from(&self, from: &str) -> String {
        let mut ends: Vec<&str> = self.steps.iter().filter_map(|step| step.strip_prefix(from)).collect();
        ends.sort_unstable();
        ends.join(" ")
    }

    fn has(&self, step: &str) -> bool {
        self.steps.iter().any(|legal| legal == step)
    }
}

/// Reads `position` (empty: the standard start) and plays `steps`.
struct Play<'a> {
    position: &'a str,
    steps: &'a str,
}

impl VariantVisitor for Play<'_> {
    type Output = Seen;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Seen {
        let mut game = read::<G>(&rules, self.position);
        for step in self.steps.split_whitespace() {
            game.apply(game.parse_step(step).unwrap_or_else(|error| panic!("{error}")));
        }
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let outcome = game.outcome().map(|outcome| (outcome.winner, outcome.reason));
        let steps = actions.into_iter().map(|action| game.step_text(action)).collect();
        Seen { position: game.fen(), outcome, steps }
    }
}

fn read<G: Notation>(rules: &G::Rules, position: &str) -> G {
    match position {
        "" => G::standard_start(rules),
        text => G::from_fen(rules, text).unwrap_or_else(|error| panic!("{text}: {error}")),
    }
}

fn play(name: &str, position: &str, steps: &str) -> Seen {
    variant(name).dispatch(Play { position, steps })
}

/// Reads a written turn or step and answers how it is written, or the error.
struct Rewrite<'a> {
    position: &'a str,
    text: &'a str,
    what: What,
}

enum What {
    Step,
    Turn,
}

impl VariantVisitor for Rewrite<'_> {
    type Output = String;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> String {
        let game = read::<G>(&rules, self.position);
        let text = match self.what {
            What::Step => game.parse_step(self.text).map(|action: Action| game.step_text(action)),
            What::Turn => game.parse_turn(self.text).map(|steps| game.turn_text(&steps)),
        };
        text.unwrap_or_else(|error| error.to_string())
    }
}

fn turn(position: &str, text: &str) -> String {
    variant("eternal-free").dispatch(Rewrite { position, text, what: What::Turn })
}

fn step(position: &str, text: &str) -> String {
    variant("eternal-free").dispatch(Rewrite { position, text, what: What::Step })
}

/// Red's rook in its own palace.
const ROOK_IN_PALACE: &str = "rnb2bnr/8/1c1mm1c1/2p2p2/********/2P2P2/1C1MM1C1/8/1NBR1BNR r - 0-0 1";

/// A red pawn on b2 with a ring of jumps b2, d2, f2, d4, where d2 lies in red's palace and a knight stands on e2.
const RING: &str = "rnb2bnr/8/1c1mm1c1/2p2p2/********/7B/P1B1C2C/1PR1N3/MM4NR r - 0-0 1";

/// Black's bishop stands in red's palace, and so does red's rook.
const INTRUDER: &str = "rn3bnr/8/1c1mm1c1/2p2p2/********/2P2P2/1C1MM1C1/8/1NBRbBNR r - 0-1 2";

#[test]
fn a_palace_holds_one_piece_of_its_owner() {
    let seen = play("eternal-fixed", ROOK_IN_PALACE, "");
    assert_eq!(seen.moves_from("d1"), "c1 d2 d3 e1 f1", "its piece may move on inside, or leave");
    for step in ["b1d2", "c1d2", "f1e2"] {
        assert!(!seen.has(step), "{step} brings a second piece in");
    }
    assert!(seen.has("f1d3"), "passing through is free");
    let seen = play("eternal-fixed", ROOK_IN_PALACE, "f1d3");
    assert!(seen.has(">f1") && !seen.has(">e1") && !seen.has(">e2"), "{seen:?}");
    let seen = play("eternal-fixed", INTRUDER, "");
    let place = |square: &str| format!("<{square}");
    assert!(["c9", "d9", "e8"].into_iter().all(|square| seen.has(&place(square))), "{seen:?}");
    assert!(["a5", "e2", "a1", "a9"].into_iter().all(|square| !seen.has(&place(square))), "{seen:?}");
    assert_eq!(play("eternal-fixed", INTRUDER, "<d9").moves_from("d1"), "c1 d2 d3 e1 f1");
}

#[test]
fn captured_pieces_are_dropped_on_their_owners_side_and_stones_leave() {
    let seen = play("eternal-fixed", "", "a1b1");
    assert_eq!(seen.position, "rnb2bnr/8/1c1mm1c1/2p2p2/********/2P2P2/1C1MM1C1/8/1RB2BNR r N 0-0 1");
    assert!([">a1", ">d1", ">e2", ">h4"].into_iter().all(|step| seen.has(step)), "{seen:?}");
    assert!(![">b1", ">a5", ">a6"].into_iter().any(|step| seen.has(step)), "{seen:?}");
    let seen = play("eternal-fixed", "", "b3b7");
    assert!([">d9", ">e8", ">h6"].into_iter().all(|step| seen.has(step)), "{seen:?}");
    assert!(![">b7", ">b3", ">a5"].into_iter().any(|step| seen.has(step)), "{seen:?}");
    let seen = play("eternal-fixed", "", "a1a5");
    assert_eq!(seen.position, "rnb2bnr/8/1c1mm1c1/2p2p2/R*******/2P2P2/1C1MM1C1/8/1NB2BNR b - 0-0 2");
}

#[test]
fn a_mimic_moves_as_every_piece_beside_it() {
    let position = "rnb2bnr/8/1c1mm1c1/2p2p2/********/2P1BP2/1C1M1MC1/2N5/R4BNR r - 0-0 1";
    let as_knight_and_bishop = "b2 b4 c1 c2 c4 c5 e1 e2 e4 e5 f1 f2 f4";
    assert_eq!(play("eternal-free", position, "").moves_from("d3"), as_knight_and_bishop);
    assert_eq!(play("eternal-fixed", "", "").moves_from("d3"), "", "with nothing to imitate it cannot move");
}

#[test]
fn a_pawns_chain_passes_palaces_and_its_start_but_ends_elsewhere() {
    assert_eq!(play("eternal-free", RING, "").moves_from("b2"), "b4 d4 f2 f4");
    assert_eq!(turn(RING, "b2d2f2"), "b2d2f2", "the shortest chain, the first of two in board order");
    assert_eq!(turn(RING, "b2d4f2"), "b2d2f2");
    assert_eq!(turn(RING, "b2d2f2d4b2d2f2"), "b2d2f2");
    let cases = [
        ("b2d2f2d4b2", "the red P on b2 has to move to another square"),
        ("b2d2", "red's palace would hold two pieces of red"),
        (
            "b2f2",
            "the pawn cannot jump from b2 to f2: it jumps over one adjacent R, N, C or B onto the square right behind",
        ),
        ("b2", "the square the move ends on is missing"),
    ];
    for (text, why) in cases {
        assert_eq!(turn(RING, text), format!("`{text}` is not legal here: {why}"));
    }
}

#[test]
fn endings_apply_in_order() {
    let winning = "c2r2/cCr3/5n/**2**/N4n/1C1R2/3NR1 b - 0-0 42";
    let seen = play("eternal-mini:turn_limit=42", winning, "c6c1");
    assert_eq!(seen.outcome, Some((Some(Side::Black), Reason::Points)), "a win comes before the limit");
    assert!(seen.position.ends_with(" r - 0-1 43") && seen.steps.is_empty(), "the loser is to decide: {seen:?}");
    let cycle = "c2b2 c6b6 b2c2 b6c6 ".repeat(2);
    let outcome = |name, steps: &str| play(name, "", steps).outcome;
    assert_eq!(outcome("eternal-mini:turn_limit=8", &cycle), Some((None, Reason::Repetition)), "before the limit");
    assert_eq!(outcome("eternal-mini:turn_limit=9", &cycle), Some((None, Reason::Repetition)));
    assert_eq!(outcome("eternal-mini:turn_limit=7", &cycle[..7 * 5]), Some((None, Reason::Limit)));
    assert_eq!(outcome("eternal-mini:turn_limit=8", &cycle[..7 * 5]), None);
}

#[test]
fn suffixes_are_written_read_and_corrected() {
    let scoring = "6cp/m4c1B/n3b3/b4mp1/3BM3/1nMP4/r1NR3P/C4NR1/r6C b - 1-2 262";
    let cases = [
        ("a1d1+", "a1d1+"),
        ("a1d1", "a1d1+"),
        ("a1d1#", "`a1d1#` has the wrong suffix: expected `+`"),
        ("a1b1x", "a1b1x"),
        ("a1b1+", "`a1b1+` has the wrong suffix: expected `x`"),
        ("a1a2b2x", "`a1a2b2x` has the wrong suffix: expected ``"),
        ("a1a2", "`a1a2` is not legal here: the square for the captured piece is missing"),
        ("a1b1b2", "`a1b1b2` is not legal here: the turn is complete before b2"),
        ("a1", "`a1` is not legal here: the square the move ends on is missing"),
        ("", "`` is not a turn of squares like `a6c8` or `h9a6c8h8`"),
        ("a1b", "`a1b` is not a turn of squares like `a6c8` or `h9a6c8h8`"),
        ("a1b0", "`a1b0` is not a turn of squares like `a6c8` or `h9a6c8h8`"),
    ];
    for (text, expected) in cases {
        assert_eq!(turn(scoring, text), expected, "{text}");
    }
    assert_eq!(turn(INTRUDER, "c9a1b1"), "`c9a1b1` is not legal here: a1 is empty");
    assert_eq!(turn(INTRUDER, "c9d1e1"), "c9d1e1");
}

#[test]
fn placement_turns_are_read_as_they_were_played() {
    assert_eq!(turn("", "Cd4Ne4Mf4Re3"), "Cd4Ne4Mf4Re3");
    let three_left = "8/8/8/8/********/3C4/8/8/8 r RRNNCBBMMPPrrnnccbbmmpp 0-0 p1";
    assert_eq!(turn(three_left, "Ne4Mf4Re3"), "Ne4Mf4Re3");
    let cases = [
        ("Cd4Ne4Mf4", "`Cd4Ne4Mf4` is not a turn of 4 placements like `Cd4Ne4Mf4Re3`"),
        ("Cd4Ne4Mf4Re3+", "`Cd4Ne4Mf4Re3+` has the wrong suffix: expected ``"),
        ("Cd4Ne4Mf4Rd2", "`Cd4Ne4Mf4Rd2` is not legal here: d2 lies in the palace, where nothing is placed"),
        ("Cd4Nd4Mf4Re3", "`Cd4Nd4Mf4Re3` is not legal here: d4 is occupied"),
        ("Cd4Nd6Mf4Re3", "`Cd4Nd6Mf4Re3` is not legal here: d6 is not on red's side"),
        ("Ca1Ca2Ca3Ca4", "`Ca1Ca2Ca3Ca4` is not legal here: red has no C left in hand"),
        ("cd4ne4mf4re3", "`cd4ne4mf4re3` is not a turn of 4 placements like `Cd4Ne4Mf4Re3`"),
    ];
    for (text, expected) in cases {
        assert_eq!(turn("", text), expected, "{text}");
    }
}

#[test]
fn steps_that_are_not_legal_are_explained() {
    let fixed = "rnb2bnr/8/1c1mm1c1/2p2p2/********/2P2P2/1C1MM1C1/8/RNB2BNR r - 0-0 1";
    let holding = "rnb2bnr/8/1c1mm1c1/2p2p2/********/2P2P2/1C1MM1C1/8/1RB2BNR r N 0-0 1";
    let protected = "rnbr1bn1/8/1c1mm1c1/2p2p2/********/2PR1P2/1C1MM1C1/8/RNB2BN1 b - 0-0 2";
    let cases = [
        (fixed, "a2a3", "a2 is empty"),
        (fixed, "a5a6", "a stone lies on a5, and stones do not move"),
        (fixed, "a9a8", "the black R on a9 is not red's"),
        (fixed, "a1a1", "the red R on a1 has to move to another square"),
        (fixed, "a1b2", "the red R on a1 cannot go to b2"),
        (fixed, "d3d4", "the red M on d3 cannot move with no R, N, C or B beside it"),
        (fixed, "<a9", "red is to move"),
        (fixed, ">a1", "red is to move"),
        (holding, "b1b2", "the captured red N has to be dropped"),
        (holding, ">b1", "b1 is occupied"),
        (holding, ">a6", "a6 is not on red's side"),
        (protected, "c9d9", "the black R on d9 stands in a palace and cannot be captured"),
        (INTRUDER, "d1d2", "the black B on e1 in the palace has to be returned first"),
        (INTRUDER, "<a9", "a9 is occupied"),
        (INTRUDER, "<a1", "a1 is not on black's side"),
        ("", "a1a2", "red is to place a piece"),
    ];
    for (position, text, why) in cases {
        assert_eq!(step(position, text), format!("`{text}` is not legal here: {why}"), "{position}");
    }
    assert_eq!(
        step(fixed, "a1"),
        "`a1` is not a step like `Nb3` (place), `<h9` (return), `a6c8` (move) or `>h8` (drop)"
    );
    let won = "rn2B1nr/b7/1c1mm1c1/2p2p2/********/2P2P2/1C1MM1C1/8/RNB1b1NR b - 4-2 16";
    assert_eq!(step(won, "a9a8"), "the game is over");
}

struct Bounded;

impl VariantVisitor for Bounded {
    type Output = bool;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> bool {
        every_turn(&G::standard_start(&rules), 10_000) == Err(TooManyTurns { limit: 10_000 })
    }
}

#[test]
fn the_list_of_turns_is_bounded() {
    assert!(variant("eternal-free").dispatch(Bounded));
    assert!(!variant("eternal-fixed").dispatch(Bounded));
}

/// In random games, whether the steps that win by points, and those after which the other side can do so, are exactly the ones
/// that the game names. Counts both.
struct NamesDecidingSteps;

impl NamesDecidingSteps {
    fn after<G: Game>(game: &G, action: Action) -> G {
        let mut next = game.clone();
        next.apply(action);
        next
    }

    /// The steps that score the last point.
    fn winning<G: Game>(game: &G) -> Vec<Action> {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let wins = |outcome: Outcome| outcome.reason == Reason::Points;
        actions.retain(|&action| Self::after(game, action).outcome().is_some_and(wins));
        actions
    }

    /// The steps after which the other side can score its last point at once.
    fn losing<G: Game>(game: &G) -> Vec<Action> {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        actions.retain(|&action| {
            let next = Self::after(game, action);
            next.side_to_act() != game.side_to_act() && !Self::winning(&next).is_empty()
        });
        actions
    }
}

impl VariantVisitor for NamesDecidingSteps {
    type Output = [usize; 2];

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> [usize; 2] {
        let (mut actions, mut named, mut found) = (Vec::new(), Vec::new(), [0, 0]);
        for index in 0..20 {
            let mut rng = Seeds::new(3).stream(Purpose::Test, index);
            let mut game = G::start(&rules, &mut rng);
            while game.outcome().is_none() {
                game.winning_actions(&mut named);
                let winning = Self::winning(&game);
                assert_eq!(named, winning, "{variant}: {}", game.fen());
                game.losing_actions(&mut named);
                let losing = Self::losing(&game);
                assert_eq!(named, losing, "{variant}: {}", game.fen());
                found = [found[0] + winning.len(), found[1] + losing.len()];
                game.legal_actions(&mut actions);
                game.apply(actions[rng.random_range(0..actions.len())]);
            }
        }
        found
    }
}

#[test]
fn steps_that_score_the_last_point_or_let_the_other_side_do_so_are_named_and_no_others() {
    // Random games are short: the limit, which comes before what would be an answer, is met with less.
    for name in ["eternal-mini", "eternal-mini:turn_limit=6", "eternal-fixed", "eternal-free"] {
        let found = variant(name).dispatch(NamesDecidingSteps);
        assert!(found.iter().all(|&count| count > 0), "{name}: {found:?}");
    }
}

/// The steps that are said to lose at once in `position` after `steps`.
struct LosingAfter<'a> {
    position: &'a str,
    steps: &'a str,
}

impl VariantVisitor for LosingAfter<'_> {
    type Output = Vec<String>;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Vec<String> {
        let mut game = read::<G>(&rules, self.position);
        for step in self.steps.split_whitespace() {
            game.apply(game.parse_step(step).unwrap_or_else(|error| panic!("{error}")));
        }
        let mut losing = Vec::new();
        game.losing_actions(&mut losing);
        losing.into_iter().map(|action| game.step_text(action)).collect()
    }
}

#[test]
fn a_step_that_draws_by_repetition_is_not_one_that_loses() {
    // Black could win with c6c1 at the start and every time it comes again; the third time it is a draw.
    let position = "c2r2/cCr3/5n/**2**/N4n/1C1R2/3NR1 b - 0-0 42";
    let loses = |steps: &str| {
        let losing = variant("eternal-mini").dispatch(LosingAfter { position, steps });
        losing.iter().any(|step| step == "f1e1")
    };
    assert!(loses("c6d6 e1f1 d6c6"));
    assert!(!loses("c6d6 e1f1 d6c6 f1e1 c6d6 e1f1 d6c6"));
}
