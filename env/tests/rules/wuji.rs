//! Cases of Wuji chess worked out by hand (RULES 3): what is legal, how games end, and what is said about wrong steps.

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Reason, Seeds, Side, Variant};

use crate::variant;

/// Reads a position and plays steps.
struct Play<'a> {
    position: &'a str,
    steps: &'a str,
}

/// What a position is after some steps.
#[derive(Debug)]
struct Seen {
    position: String,
    outcome: Option<(Option<Side>, Reason)>,
    steps: Vec<String>,
    caption: String,
}

impl VariantVisitor for Play<'_> {
    type Output = Result<Seen, String>;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Self::Output {
        let mut game = G::from_fen(&rules, self.position).map_err(|error| error.to_string())?;
        for step in self.steps.split_whitespace() {
            let turn = game.parse_turn(step).map_err(|error| error.to_string())?;
            assert_eq!(game.turn_text(&turn), step);
            turn.into_iter().for_each(|action| game.apply(action));
        }
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        Ok(Seen {
            position: game.fen(),
            outcome: game.outcome().map(|outcome| (outcome.winner, outcome.reason)),
            steps: actions.into_iter().map(|action| game.step_text(action)).collect(),
            caption: game.diagram().caption,
        })
    }
}

fn play(name: &str, position: &str, steps: &str) -> Seen {
    let seen = variant(name).dispatch(Play { position, steps });
    seen.unwrap_or_else(|error| panic!("{position}, {steps}: {error}"))
}

/// The ends of the legal moves from a point, sorted.
fn moves(name: &str, position: &str, from: &str) -> String {
    let seen = play(name, position, "");
    let is_end = |end: &&str| end.starts_with(|letter: char| letter.is_ascii_lowercase());
    let mut ends: Vec<&str> = seen.steps.iter().filter_map(|step| step.strip_prefix(from)).filter(is_end).collect();
    ends.sort_unstable();
    ends.join(" ")
}

/// Every setting away from those of `wuji-simple`.
const ALL_SETTINGS: &str = "wuji-flexible:royal_zone=half,bomb=five,pawn_sideways=true,promotion=all,able_throne=true";

#[test]
fn a_bomb_leaves_with_what_it_takes_and_with_what_takes_it() {
    let board = "6k6/13/13/13/13/3z9/13/3Z3r5/13/6P6/13/5K7 r 7 3";
    let after = |step| play("wuji-simple", board, step).position;
    assert_eq!(after("d5h5"), "6k6/13/13/13/13/3z9/13/13/13/6P6/13/5K7 g 0 3");
    assert_eq!(after("d5d7"), "6k6/13/13/13/13/13/13/7r5/13/6P6/13/5K7 g 0 3");
    assert_eq!(after("d5d6"), "6k6/13/13/13/13/3z9/3Z9/7r5/13/6P6/13/5K7 g 8 3");
    let pawn = "2z3k6/1P11/13/13/13/13/13/13/13/13/13/5K7 r 7 3";
    assert_eq!(play("wuji-simple", pawn, "b11c12").position, "6k6/13/13/13/13/13/13/13/13/13/13/5K7 g 0 3");
}

#[test]
fn an_explosion_may_neither_open_a_line_to_the_own_general_nor_leave_one_open() {
    // The rook on f12 looks down the file; the bomb on f5 and the pawn on f8 stand in the way.
    let board = "5r1k5/13/13/13/5p7/13/13/5Z7/13/13/13/5K7 r 0 1";
    assert!(!moves("wuji-simple", board, "f5").contains("f8"), "both would leave the line");
    assert!(moves("wuji-simple", board, "f5").contains("a5"), "the pawn still stands in the way");
    let alone = "5r1k5/13/13/13/13/13/13/5Z7/13/13/13/5K7 r 0 1";
    assert!(!moves("wuji-simple", alone, "f5").contains("a5"), "pinned");
    assert!(moves("wuji-simple", alone, "f5").contains("f12"), "both leave, and with them the attack");
}

#[test]
fn a_general_takes_neither_bombs_nor_blockers_and_is_attacked_by_bombs() {
    let board = "7k5/13/13/13/13/13/13/13/13/13/6zx5/5KR6 r 0 1";
    assert_eq!(moves("wuji-simple", board, "f1"), "", "e1 is outside the palace, f2 is attacked by the bomb");
    assert_eq!(moves("wuji-simple", board, "g1"), "g2 h1 i1 j1 k1 l1 m1", "a rook takes the bomb");
    let check = "7k5/13/13/13/13/13/13/13/13/13/13/z4K7 r 0 1";
    assert_eq!(play("wuji-simple", check, "").caption, "turn 1, red moves, in check, quiet for 0 of 120");
}

#[test]
fn a_blocker_is_taken_by_bombs_alone_and_takes_backward_from_its_own_half() {
    let own_half = "7k5/13/13/13/13/13/13/2p1p8/3X9/2p1p8/13/5K7 r 0 1";
    assert_eq!(moves("wuji-simple", own_half, "d4"), "c3 e3");
    let beyond = "7k5/13/13/13/2z1p8/3X9/2p1p8/13/13/13/13/5K7 r 0 1";
    assert_eq!(moves("wuji-simple", beyond, "d7"), "c8", "nothing but a bomb");
    let target = "7k5/13/13/13/13/13/1Z1x4R4/13/13/4B8/13/5K7 r 0 1";
    assert_eq!(moves("wuji-simple", target, "b6").split(' ').filter(|&end| end == "d6").count(), 1);
    assert!(!moves("wuji-simple", target, "i6").contains("d6"));
    assert_eq!(play("wuji-simple", target, "b6d6").position.split(' ').nth(2), Some("0"));
}

#[test]
fn a_guard_leaps_to_its_general_from_anywhere_onto_empty_points_alone() {
    let board = "7k5/13/13/13/13/A12/13/13/13/13/5n7/5K7 r 0 1";
    assert_eq!(moves("wuji-simple", board, "a7"), "g1", "f2 is occupied and e1 is outside the palace");
    assert_eq!(moves("wuji-advanced", board, "a7"), "e1 g1", "the zone is the half, and a7 is outside of it");
    let inside = "7k5/13/13/13/13/13/A12/13/13/13/5n7/5K7 r 0 1";
    assert_eq!(moves("wuji-advanced", inside, "a6"), "b5 e1 g1");
}

#[test]
fn pawns_and_what_becomes_of_them_follow_the_settings() {
    let board = "7k5/3P9/13/13/13/13/3P9/13/13/13/13/5K7 r 0 1";
    for (name, ends) in [("wuji-simple", "c12 d12 e12"), (ALL_SETTINGS, "c11 c12 d12 e11 e12")] {
        assert_eq!(moves(name, board, "d11"), ends);
        assert_eq!(moves(name, board, "d6"), "d7");
    }
    let after = |name| play(name, board, "d11d12").position;
    assert_eq!(after("wuji-flexible"), "3Q3k5/13/13/13/13/13/3P9/13/13/13/13/5K7 g 0 1");
    assert_eq!(after(ALL_SETTINGS), "3+P3k5/13/13/13/13/13/3P9/13/13/13/13/5K7 g 0 1");
    let promoted = "8k4/13/13/13/3+P9/13/13/13/13/13/13/5K7 r 0 1";
    assert_eq!(play(ALL_SETTINGS, promoted, "d8e11").position.split(' ').nth(2), Some("1"), "it is no pawn");
}

#[test]
fn mate_wins_and_having_no_move_without_check_is_a_draw() {
    let ladder = "6k6/1R11/13/13/13/13/13/13/13/R12/13/5K7 r 4 20";
    let seen = play("wuji-simple", ladder, "a3a12");
    assert_eq!(seen.outcome, Some((Some(Side::Red), Reason::Mate)));
    assert_eq!((seen.caption.as_str(), seen.steps.len()), ("turn 20, red has won, quiet for 5 of 120", 0));
    let stalemate = "5k7/13/R12/13/13/13/13/13/13/13/6R6/7K5 r 4 20";
    assert_eq!(play("wuji-simple", stalemate, "a10a11").outcome, Some((None, Reason::Stalemate)));
    let half = play("wuji-advanced", stalemate, "a10a11");
    assert_eq!(half.outcome, None, "in its half the general can step aside");
}

#[test]
fn a_side_that_alone_gives_check_all_along_loses_by_the_repetition() {
    let red_checks = "6k6/R12/13/13/13/13/13/13/13/13/13/5K7 r 0 1";
    let green_checks = "5k7/13/13/13/13/13/13/13/13/13/r12/6K6 g 0 1";
    let cycles = ["a11a12 g12g11 a12a11 g11g12", "a2a1 g1g2 a1a2 g2g1"];
    for (position, cycle, loser) in [(red_checks, cycles[0], Side::Red), (green_checks, cycles[1], Side::Black)] {
        let once = play("wuji-simple", position, cycle);
        assert_eq!(once.outcome, None);
        let seen = play("wuji-simple", position, &format!("{cycle} {cycle}"));
        assert_eq!(seen.outcome, Some((Some(loser.other()), Reason::PerpetualCheck)));
    }
}

#[test]
fn a_repetition_without_checks_or_with_a_pause_in_them_is_a_draw() {
    let quiet = "6k6/13/13/R12/13/13/13/13/13/13/13/5K7 r 0 1";
    let seen = play("wuji-simple", quiet, &"a9b9 g12g11 b9a9 g11g12 ".repeat(2));
    assert_eq!(seen.outcome, Some((None, Reason::Repetition)));
    let pause = "6k6/R12/13/13/13/13/13/13/13/13/13/5K7 r 0 1";
    let steps = "a11a12 g12g11 a12a11 g11g12 a11b11 g12h12 b11a11 h12g12";
    assert_eq!(play("wuji-simple", pause, steps).outcome, Some((None, Reason::Repetition)));
}

#[test]
fn a_pawn_that_steps_sideways_and_back_repeats_the_position() {
    let board = "6k6/13/13/P12/13/13/13/13/13/13/13/5K7 r 50 1";
    let steps = "a9b9 g12g11 b9a9 g11g12 ".repeat(2);
    let seen = play("wuji-advanced", board, &steps);
    assert_eq!(seen.outcome, Some((None, Reason::Repetition)));
    assert_eq!(seen.position.split(' ').nth(2), Some("1"), "each step of the pawn starts the count anew");
}

#[test]
fn sixty_quiet_rounds_are_a_draw_unless_the_last_move_mates() {
    let ladder = "6k6/1R11/13/13/13/13/13/13/13/R12/13/5K7 r 119 90";
    assert_eq!(play("wuji-simple", ladder, "a3a4").outcome, Some((None, Reason::Limit)));
    assert_eq!(play("wuji-simple", ladder, "a3a12").outcome, Some((Some(Side::Red), Reason::Mate)));
    let taking = "6k6/1R11/13/13/13/13/13/13/13/R4p7/13/5K7 r 119 90";
    assert_eq!(play("wuji-simple", taking, "a3f3").outcome, None);
    let played_out = "6k6/1R11/13/13/13/13/13/13/13/R12/13/5K7 r 120 90";
    assert_eq!(play("wuji-simple", played_out, "").outcome, Some((None, Reason::Limit)));
}

/// Red's general on a1 is in check by rook and knight and cannot go anywhere; `pieces` stand on ranks 8 and 5.
fn checkmated([rank_8, rank_5]: [&str; 2]) -> String {
    format!("11k1/13/13/13/{rank_8}/13/13/{rank_5}/13/1n11/12r/K11r r 30 40")
}

#[test]
fn the_able_takes_the_throne_where_it_stands_in_the_zone() {
    let board = checkmated(["13", "3Q9"]);
    let seen = play("wuji-advanced", &board, "");
    assert_eq!(seen.steps, ["d5@d5"]);
    assert_eq!(seen.caption, "turn 40, red is checkmated and takes the throne, quiet for 30 of 120");
    let after = play("wuji-advanced", &board, "d5@d5");
    assert_eq!(after.position, "11k1/13/13/13/13/13/13/3K9/13/1n11/12r/12r g 0 40");
}

#[test]
fn the_able_outside_the_zone_gives_the_general_any_safe_point() {
    let board = checkmated(["3Q9", "13"]);
    let seen = play("wuji-advanced", &board, "");
    assert!(seen.steps.iter().all(|step| step.starts_with("d8@")), "{seen:?}");
    let places: Vec<&str> = seen.steps.iter().filter_map(|step| step.strip_prefix("d8@")).collect();
    for (place, is_open) in [
        ("d5", true),
        ("a3", true),
        ("m6", false),
        ("d8", false),
        ("a1", false),
        ("b3", false),
        ("c5", false),
        ("l6", false),
        ("h1", false),
        ("h7", false),
    ] {
        assert_eq!(places.contains(&place), is_open, "{place}");
    }
    assert_eq!(play("wuji-advanced", &board, "d8@d5").position, "11k1/13/13/13/13/13/13/3K9/13/1n11/12r/12r g 0 40");
}

#[test]
fn a_rook_takes_the_throne_only_for_want_of_a_minister_and_a_promoted_pawn_never() {
    assert_eq!(play("wuji-advanced", &checkmated(["13", "3R9"]), "").steps, ["d5@d5"]);
    assert_eq!(play("wuji-advanced", &checkmated(["13", "3R3Q5"]), "").steps, ["h5@h5"]);
    assert_eq!(play("wuji-advanced", &checkmated(["13", "3+P3R5"]), "").steps, ["h5@h5"]);
    let lost = Some((Some(Side::Black), Reason::Mate));
    let cases = [
        (["13", "3+P9"], "a promoted pawn is no minister"),
        (["13", "2QR9"], "the minister's point is attacked, and a rook does not count beside it"),
        (["13", "13"], "nobody is able"),
    ];
    for (pieces, why) in cases {
        assert_eq!(play("wuji-advanced", &checkmated(pieces), "").outcome, lost, "{why}");
    }
    let without = "wuji-flexible:royal_zone=half,bomb=five";
    assert_eq!(play(without, &checkmated(["13", "3Q9"]), "").outcome, lost);
}

#[test]
fn the_throne_can_be_had_in_a_palace_too() {
    let name = "wuji-flexible:able_throne=true";
    let outside = "7k5/13/13/13/13/13/13/3Q9/13/4n8/12r/5K6r r 9 1";
    assert_eq!(play(name, outside, "").steps, ["d5@f3", "d5@g3"], "on h3 it would face the other general");
    let inside = "7k5/13/13/13/13/13/13/13/13/4n1Q6/12r/5K6r r 9 1";
    assert_eq!(play(name, inside, "").steps, ["g3@g3"]);
}

#[test]
fn steps_that_are_not_legal_are_explained() {
    let start = "rnlbxqkaxblnr/13/1c3z1z3c1/13/p1p1p1p1p1p1p/13/13/P1P1P1P1P1P1P/13/1C3Z1Z3C1/13/RNLBXQKAXBLNR r 0 1";
    let blockers = "7k5/13/13/13/2x10/3X9/2pp9/2X10/1p1p9/13/5xz6/2R2K7 r 0 1";
    let pinned = "5r1k5/13/13/13/13/13/13/5R7/13/13/13/5K7 r 0 1";
    let check = "7k5/13/13/13/13/13/13/R12/13/13/13/r4K7 r 0 1";
    let throne = checkmated(["3Q9", "3Q9"]);
    let advanced = start;
    let cases = [
        ("wuji-simple", start, "a2a3", "a2 is empty"),
        ("wuji-simple", start, "a12a11", "the green R on a12 is not red's"),
        ("wuji-simple", start, "a1a1", "the red R on a1 has to move to another point"),
        ("wuji-simple", start, "a1b2", "the red R on a1 cannot go to b2"),
        ("wuji-simple", start, "a1a5", "the red P on a5 is red's own"),
        ("wuji-simple", start, "d1i6", "the red B on d1 cannot go to i6"),
        ("wuji-simple", start, "b3b8", ""),
        ("wuji-simple", start, "b3b10", "the red C on b3 cannot capture the green C on b10"),
        ("wuji-simple", blockers, "f1e1", "the red K on f1 may not go to e1, outside its palace"),
        ("wuji-simple", blockers, "f1f2", "a general never captures a bomb or a blocker, and the green X on f2 is one"),
        ("wuji-simple", blockers, "c1c8", "the green X on c8 is a blocker, which nothing but a bomb captures"),
        (
            "wuji-simple",
            blockers,
            "d7c6",
            "the red X on d7 is a blocker, which captures nothing but bombs when it is not on its own half",
        ),
        (
            "wuji-simple",
            blockers,
            "c5d6",
            "the red X on c5 is a blocker, which captures other pieces than bombs only backward: not the green P on d6",
        ),
        ("wuji-simple", pinned, "f5a5", "the general of red would be attacked, or face the other"),
        ("wuji-simple", pinned, "f1g1", ""),
        ("wuji-simple", check, "a5b5", "the general of red would be attacked: red is in check"),
        ("wuji-simple", pinned, "a1@a1", "giving up a piece for the throne is no rule of this variant"),
        ("wuji-advanced", advanced, "f1@f1", "only a checkmated player takes the throne, and red has a move"),
        (
            "wuji-advanced",
            throne.as_str(),
            "a1b1",
            "red is checkmated and has to give up a minister for the throne, as in `d5@d5`",
        ),
        ("wuji-advanced", throne.as_str(), "a1@b1", "red has to give up a minister for the throne, and none is on a1"),
        (
            "wuji-advanced",
            throne.as_str(),
            "d5@e5",
            "the minister on d5 is in the own half: the general takes its point, d5@d5",
        ),
        ("wuji-advanced", throne.as_str(), "d8@d8", "d8 is no empty point of the own half"),
        ("wuji-advanced", throne.as_str(), "d8@c5", "the general would be attacked on c5, or face the other"),
    ];
    for (name, position, step, why) in cases {
        let answer = variant(name).dispatch(Play { position, steps: step });
        match (answer, why) {
            (Err(error), why) if !why.is_empty() => assert_eq!(error, format!("`{step}` is not legal here: {why}")),
            (answer, why) => assert!(answer.is_ok() && why.is_empty(), "{position} {step}: {answer:?}"),
        }
    }
}

#[test]
fn texts_that_are_no_steps_are_named() {
    let start = "rnlbxqkaxblnr/13/1c3z1z3c1/13/p1p1p1p1p1p1p/13/13/P1P1P1P1P1P1P/13/1C3Z1Z3C1/13/RNLBXQKAXBLNR r 0 1";
    for step in ["a1", "a1a", "a1n2", "a1a13", "a01a2", "a1-a2", "a1@", "a1@a2@a3", "Ra1a2", "a1a2+"] {
        let answer = variant("wuji-simple").dispatch(Play { position: start, steps: step });
        let expected = format!("`{step}` is not a step like `f3f10` (move) or `d5@d5` (taking the throne)");
        assert_eq!(answer.err(), Some(expected));
    }
    let over = "6k6/1R11/13/13/13/13/13/13/13/R12/13/5K7 r 120 90";
    let answer = variant("wuji-simple").dispatch(Play { position: over, steps: "a3a4" });
    assert_eq!(answer.err(), Some("the game is over".to_owned()));
}

/// The text of the first position and the turns played before it.
struct Start;

impl VariantVisitor for Start {
    type Output = (String, usize);

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> (String, usize) {
        let game = G::start(&rules, &mut Seeds::new(1).stream(Purpose::Test, 0));
        (game.fen(), game.turns_played())
    }
}

#[test]
fn a_start_that_is_set_is_where_the_game_starts_in_every_variant() {
    let text = "6k6/13/13/13/13/13/13/13/13/R12/13/5K7 g 30 21";
    for name in Variant::names().iter().filter(|name| name.starts_with("wuji")) {
        for written in [text.to_owned(), text.replace(' ', "_")] {
            let start = variant(&format!("{name}:start={written}")).dispatch(Start);
            assert_eq!(start, (text.to_owned(), 0), "{name}");
        }
    }
}

#[test]
fn wrong_settings_are_named() {
    let cases = [
        ("wuji-simple:bomb=five", "variant `wuji-simple` has no setting `bomb`, expected one of start, quiet_limit"),
        (
            "wuji-flexible:boom=five",
            "variant `wuji-flexible` has no setting `boom`, expected one of start, quiet_limit, royal_zone, bomb, pawn_sideways, promotion, able_throne",
        ),
        ("wuji-flexible:bomb=six", "variant `wuji-flexible`, setting `bomb`: `six`, expected `slide` or `five`"),
        (
            "wuji-flexible:able_throne=yes",
            "variant `wuji-flexible`, setting `able_throne`: `yes`, expected `false` or `true`",
        ),
        (
            "wuji-advanced:start=13",
            "variant `wuji-advanced`, setting `start`: position text, field `side`: missing, expected `<board> <side> <quiet> <turn>`",
        ),
        (
            "wuji-simple:start=6k6/1R11/13/13/13/13/13/13/13/R12/13/5K7_r_120_90",
            "variant `wuji-simple`, setting `start`: the game is over before it begins, by limit",
        ),
        (
            "wuji-simple:start=5k7/R12/13/13/13/13/13/13/13/13/6R6/7K5_g_0_1",
            "variant `wuji-simple`, setting `start`: the game is over before it begins, by stalemate",
        ),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Variant>().map_err(|error| error.to_string());
        assert_eq!(error.err().as_deref(), Some(expected), "{text}");
    }
}
