//! Matches on the real game: the smallest variant.

use heng_env::variants::VariantVisitor;
use heng_env::{Outcome, Reason, Side, Variant};
use heng_mcts::evaluator::UniformEvaluator;
use heng_mcts::search::{Algorithm, SearchConfig};

use super::record::GameHeader;
use super::report::MatchHeader;
use super::*;
use crate::agent::{RandomAgent, SearchAgent};
use crate::game_file::{Form, read_games, write_pgn};
use crate::openings::{OpeningSource, openings};

const MINI: &str = "eternal-mini:turn_limit=30";

/// A match of a searcher, which keeps its trees, against random steps, in blocks of two batches.
struct SearcherAgainstRandom {
    pairs: usize,
    threads: usize,
    interrupt: Interrupt,
}

impl VariantVisitor for SearcherAgainstRandom {
    type Output = Vec<GameRecord>;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Vec<GameRecord> {
        let config = SearchConfig { simulations: 8, algorithm: Algorithm::Puct, ..SearchConfig::default() };
        let searcher = SearchAgent::new(config, 3, |_| Box::new(UniformEvaluator));
        let seeds = Seeds::new(5);
        let source = OpeningSource::Random { turns: 1 };
        let game = Match::<G> {
            players: [Box::new(searcher), Box::new(RandomAgent)],
            openings: openings(&source, &rules, self.pairs, seeds, &Interrupt::default()).unwrap(),
            seeds,
            threads: NonZero::new(self.threads).unwrap(),
            time: None,
        };
        game.play(&self.interrupt, |_| {}).unwrap()
    }
}

fn play(pairs: usize, threads: usize) -> Vec<GameRecord> {
    let visitor = SearcherAgainstRandom { pairs, threads, interrupt: Interrupt::default() };
    MINI.parse::<Variant>().unwrap().dispatch(visitor)
}

#[test]
fn the_number_of_threads_changes_no_game() {
    let one = play(9, 1);
    assert_eq!(one.len(), 18);
    assert_eq!(one, play(9, 2));
    assert_eq!(one, play(9, 5));
    assert_eq!(one, play(9, usize::MAX));
}

#[test]
fn the_games_of_a_pair_share_their_opening() {
    for pair in play(5, 2).chunks(2) {
        let [first, second] = pair else { panic!("a pair has two games") };
        assert_eq!((first.side_of_first(), second.side_of_first()), (Side::Red, Side::Black));
        assert_eq!((&first.start, &first.turns[0]), (&second.start, &second.turns[0]));
        assert_eq!(first.opening_turns, 1);
        assert!(first.turns.len() > 1 && first.ending.is_some());
    }
}

#[test]
fn a_stop_leaves_complete_pairs_only() {
    let interrupt = Interrupt::default();
    interrupt.request();
    let visitor = SearcherAgainstRandom { pairs: 3, threads: 2, interrupt };
    assert_eq!(MINI.parse::<Variant>().unwrap().dispatch(visitor), []);
    let record = GameRecord::new(0, String::new());
    let some = Some(record.clone());
    let kept = complete_pairs(vec![some.clone(), None, None, some.clone(), some.clone(), some]);
    assert_eq!(kept, [record.clone(), record]);
}

/// Reads the games of a match back from their texts.
struct Replaying {
    records: Vec<GameRecord>,
}

impl VariantVisitor for Replaying {
    type Output = ();

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) {
        let players = ["a \"quoted\" one".to_owned(), "random".to_owned()];
        let header = GameHeader { variant, players: &players, seed: 5, time: None };
        for record in self.records {
            let saved = record.to_saved::<G>(&rules, &header).unwrap();
            let reading = read_games(write_pgn(&saved, Form::Iccs).as_bytes(), &"xiangqi".parse().unwrap());
            let [game] = &reading.games[..] else { panic!("one game: {reading:?}") };
            assert_eq!(reading.error.map(|error| error.to_string()), None);
            let turns: Vec<&str> = game.turns().iter().map(|turn| turn.text()).collect();
            assert_eq!(turns, record.turns);
            assert_eq!((game.start(), game.tag("End")), (record.start.as_str(), Some(record.end.as_str())));
            let red = players[usize::from(record.side_of_first() == Side::Black)].as_str();
            assert_eq!((game.tag("Red"), game.tag("Seed")), (Some(red), Some("5")));
            assert_eq!(game.termination.as_deref(), record.ending.as_ref().map(Ending::word));
            assert!(game.turns().iter().any(|turn| turn.value.is_some()), "the searcher has opinions");
        }
    }
}

#[test]
fn a_game_can_be_replayed_from_its_text() {
    MINI.parse::<Variant>().unwrap().dispatch(Replaying { records: play(3, 1) });
}

/// A game of two turns that `winner` won.
fn record(number: usize, winner: Option<Side>, turn: &str) -> GameRecord {
    let outcome = match winner {
        Some(side) => Outcome::win(side, Reason::Points),
        None => Outcome::draw(Reason::Limit),
    };
    let turns = vec!["a1a2".to_owned(), turn.to_owned()];
    GameRecord {
        turns,
        opening_turns: 1,
        steps: vec![heng_env::Action::new(0); 3],
        ending: Some(Ending::of(outcome)),
        ..GameRecord::new(number, "s".to_owned())
    }
}

#[test]
fn a_report_counts_for_the_first_player() {
    let records = [
        record(0, Some(Side::Red), "x"),
        record(1, Some(Side::Red), "y"),
        record(2, None, "x"),
        record(3, Some(Side::Black), "z"),
    ];
    let header = MatchHeader {
        variant: MINI.to_owned(),
        players: ["a".to_owned(), "b".to_owned()],
        openings: "random:1".to_owned(),
        seed: 5,
        games_wanted: 6,
        time: None,
    };
    let report = MatchReport::new(header, &records);
    assert_eq!(report.total, Tally { wins: 2, draws: 1, losses: 1 });
    assert_eq!(report.pairs.0, [0, 0, 1, 1, 0]);
    assert_eq!(report.as_red, Tally { wins: 1, draws: 1, losses: 0 });
    assert_eq!(report.as_black, Tally { wins: 1, draws: 0, losses: 1 });
    assert_eq!((report.red_wins, report.black_wins), (2, 1));
    assert_eq!((report.distinct_games, report.distinct_openings), (3, 1));
    assert_eq!((report.mean_turns, report.mean_steps), (2.0, 3.0));
    assert_eq!(report.reasons.into_iter().collect::<Vec<_>>(), [("limit", 1), ("points", 3)]);
}
