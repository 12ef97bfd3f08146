//! What is written is read back as it was.

use std::time::Duration;

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Purpose, Seeds, Side, Variant};
use heng_mcts::value::RedValue;
use rand::RngExt;

use super::super::{Form, GameResult, SavedGame, UNFINISHED, read_games, write_dhtmlxq, write_pgn};
use super::{games, turn_texts, variant};

/// Texts that a file has to write with care.
const AWKWARD: [&str; 7] =
    ["a {b} \"c\" \\d", "red +0.5", "; 3 s", "two\nlines (1. h2e2) [x] $1", "[Event \"x\"]", "中炮\\)", "}"];

/// A random game of at most `limit` steps, with all that a game may have.
pub(super) struct Random {
    pub(super) seed: u64,
    pub(super) limit: usize,
}

impl VariantVisitor for Random {
    type Output = SavedGame;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> SavedGame {
        let mut rng = Seeds::new(self.seed).stream(Purpose::Test, 0);
        let start = G::start(&rules, &mut rng);
        let (mut position, mut steps, mut legal) = (start.clone(), Vec::<Action>::new(), Vec::new());
        while position.outcome().is_none() && steps.len() < self.limit {
            position.legal_actions(&mut legal);
            let action = legal[rng.random_range(0..legal.len())];
            steps.push(action);
            position.apply(action);
        }
        let mut game = SavedGame::from_steps(variant, &start, &steps).expect("legal steps");
        game.tags = [("Event", "a \"test\" \\ {x}"), ("Red", "甲"), ("Black", "b"), ("Seed", "7")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        game.comment = Some(AWKWARD[rng.random_range(0..AWKWARD.len())].to_owned());
        for turn in game.turns_mut() {
            let hundredths = rng.random_range(-100..=100_i16);
            turn.value = rng.random_bool(0.5).then(|| RedValue::from_side(f32::from(hundredths) / 100.0, Side::Red));
            turn.time = rng.random_bool(0.3).then(|| Duration::from_millis(rng.random_range(0..100_000)));
            turn.comment = rng.random_bool(0.2).then(|| AWKWARD[rng.random_range(0..AWKWARD.len())].to_owned());
        }
        game
    }
}

pub(super) fn random_game(variant: &Variant, seed: u64, limit: usize) -> SavedGame {
    variant.dispatch(Random { seed, limit })
}

#[test]
fn every_variant_is_read_back_in_every_notation_as_it_was() {
    for variant in Variant::all() {
        let forms: &[Form] = if variant.name() == "xiangqi" { &Form::ALL } else { &[Form::Iccs] };
        for (seed, limit) in [(1, 0), (2, 1), (3, 2), (4, 3), (5, 7), (6, 60), (7, 300), (8, 2000)] {
            let game = random_game(&variant, seed, limit);
            for &form in forms {
                let text = write_pgn(&game, form);
                let read = games(text.as_bytes());
                assert_eq!(read.len(), 1, "{text}");
                assert_eq!(read[0], game, "{form} {text}");
            }
        }
    }
}

#[test]
fn games_of_xiangqi_are_read_back_from_dhtmlxq() {
    for seed in 0..20 {
        let mut game = random_game(&variant("xiangqi"), seed, 100);
        game.tags.retain(|(name, _)| name != "Seed");
        game.result = [GameResult::RedWon, GameResult::BlackWon, GameResult::Draw][seed as usize % 3];
        let text = write_dhtmlxq(&game).expect("Xiangqi");
        let mut read = games(text.as_bytes());
        assert_eq!(read.remove(0), game, "{text}");
        assert!(read.is_empty());
    }
    let error = write_dhtmlxq(&random_game(&variant("wuji-simple"), 1, 3)).unwrap_err().to_string();
    assert_eq!(error, "a game of `wuji-simple` cannot be written as DhtmlXQ, expected one of xiangqi");
}

#[test]
fn many_games_in_one_file_are_read_one_after_the_other() {
    let all: Vec<SavedGame> =
        Variant::all().iter().flat_map(|variant| [1, 2].map(|seed| random_game(variant, seed, 40))).collect();
    let text: Vec<String> = all.iter().map(|game| write_pgn(game, Form::Wxf)).collect();
    assert_eq!(games(text.join("\n").as_bytes()), all);
    assert_eq!(games(text.concat().replace('\n', "\r\n").as_bytes()), all);
    let xiangqi: Vec<SavedGame> = (0..3).map(|seed| random_game(&variant("xiangqi"), seed, 5)).collect();
    let text: String = xiangqi.iter().map(|game| write_dhtmlxq(game).expect("Xiangqi")).collect();
    assert_eq!(games(text.as_bytes()).len(), 3);
}

#[test]
fn a_turn_that_goes_no_further_is_written_step_by_step() {
    let variant = variant("eternal-fixed");
    let (mut returns, mut moves) = (0, 0);
    for seed in 0..10 {
        let mut steps = 0;
        for turn in random_game(&variant, seed, 400).turns() {
            if turn.steps().len() > 1 {
                let game = random_game(&variant, seed, steps + 1);
                let last = game.turns().last().expect("a turn").text();
                *(if last.starts_with('<') { &mut returns } else { &mut moves }) += 1;
                assert_eq!(games(write_pgn(&game, Form::Iccs).as_bytes()), std::slice::from_ref(&game));
            }
            steps += turn.steps().len();
        }
    }
    assert!(returns > 0 && moves > 0, "{returns} {moves}");
    let placing = random_game(&super::variant("eternal-free"), 1, 6);
    assert_eq!(turn_texts(&placing)[1].split(' ').count(), 2);
    assert_eq!(placing.termination.as_deref(), Some(UNFINISHED));
    // Whole turns may be written step by step, too.
    let first: Vec<String> =
        placing.turns()[0].text().as_bytes().chunks(3).map(|s| String::from_utf8_lossy(s).into()).collect();
    let text = format!("[Variant \"eternal-free\"]\n\n{} *", first.join(" "));
    let read = read_games(text.as_bytes(), &variant).games.remove(0);
    assert_eq!(read.turns()[0].text(), placing.turns()[0].text());
}

#[test]
fn lines_are_not_long_and_rounds_are_numbered() {
    let game = random_game(&variant("xiangqi"), 1, 120);
    let mut plain = game.clone();
    plain.turns_mut().iter_mut().for_each(|turn| (turn.value, turn.time, turn.comment) = (None, None, None));
    plain.comment = None;
    for form in Form::ALL {
        let text = write_pgn(&plain, form);
        assert!(text.lines().all(|line| console::measure_text_width(line) <= 90), "{text}");
        assert!(text.contains("\n1. ") && text.contains(" 2. ") && !text.contains("1..."), "{text}");
    }
    let tags = "[Game \"Chinese Chess\"]\n[Event \"a \\\"test\\\" \\\\ {x}\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                [Red \"甲\"]\n[Black \"b\"]\n[Result \"*\"]\n[Variant \"xiangqi\"]\n[Format \"ICCS\"]\n[FEN \"rnb";
    assert!(write_pgn(&plain, Form::Iccs).starts_with(tags), "{}", write_pgn(&plain, Form::Iccs));
}

#[test]
fn black_to_begin_and_a_turn_behind_a_comment_have_their_number_with_dots() {
    let text = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b\"]\n1... h9g7 h0g2 {x} i9h9 *";
    let game = games(text.as_bytes()).remove(0);
    assert!(write_pgn(&game, Form::Iccs).ends_with("\n1... h9g7 2. h0g2 {x} 2... i9h9 *\n"));
    assert!(write_pgn(&game, Form::Iccs).contains("[SetUp \"1\"]"));
}
