//! Games that begin in others, and games that are given up.

use std::collections::HashMap;

use heng_env::game::{Reason, Side};
use heng_mcts::value::Wdl;

use super::*;
use crate::replay::Record;

/// Knows that red wins, whatever the position.
struct RedWins;

impl Evaluator<Mini> for RedWins {
    fn evaluate(&mut self, positions: &[&Mini], out: &mut [Evaluation]) {
        for (position, evaluation) in positions.iter().zip(out) {
            let red = Wdl { win: 0.97, draw: 0.02, loss: 0.01 }.to_red(Side::Red);
            *evaluation = Evaluation { wdl: red.to_side(position.side_to_act()), priors: Vec::new() };
        }
    }
}

/// The games of a group whose configuration is changed, and its counts.
fn play(
    evaluations: u64,
    evaluator: impl Evaluator<Mini>,
    change: fn(&mut SelfPlayConfig),
) -> (Vec<FinishedGame>, SelfPlayStatistics) {
    let mut settings = settings(0);
    change(&mut settings.config);
    let mut group = Group::<Mini, _>::new(settings, evaluator);
    (group.play(evaluations), group.take_statistics())
}

fn rollouts() -> RolloutEvaluator {
    RolloutEvaluator::new(1, Seeds::new(3))
}

/// The first steps of the turns of games that began at the start, by position.
fn turns_of_whole_games(games: &[FinishedGame]) -> HashMap<&str, Vec<(&Record, &FinishedGame)>> {
    let mut turns: HashMap<_, Vec<_>> = HashMap::new();
    for game in games.iter().filter(|game| game.origin == Origin::Start) {
        for turn in game.records.chunk_by(|record, next| record.decision.turn == next.decision.turn) {
            turns.entry(turn[0].decision.fen.as_str()).or_default().push((&turn[0], game));
        }
    }
    turns
}

#[test]
fn a_fork_leaves_an_earlier_game_early_by_another_step() {
    let (games, statistics) = play(20_000, rollouts(), |config| (config.fork_share, config.fork_turns) = (0.5, 4));
    let turns = turns_of_whole_games(&games);
    let forks: Vec<&FinishedGame> = games.iter().filter(|game| game.origin == Origin::Fork).collect();
    assert!(forks.len() > 5, "{} of {}", forks.len(), games.len());
    assert_eq!((statistics.forks, statistics.endgames), (forks.len() as u64, 0));
    for fork in forks {
        let first = &fork.records[0].decision;
        assert_eq!((first.choice, first.step, fork.records[0].is_sample()), (Choice::Random, 0, false));
        let left =
            |(source, _): &&(&Record, _)| source.decision.turn == first.turn && source.decision.action != first.action;
        assert!(first.turn < 4 && turns[first.fen.as_str()].iter().any(|source| left(&source)), "{first:?}");
        assert_eq!(fork.turns, fork.records.last().unwrap().decision.turn + 1 - first.turn);
    }
}

#[test]
fn an_endgame_begins_shortly_before_the_end_of_a_won_game() {
    let change = |config: &mut SelfPlayConfig| (config.endgame_share, config.endgame_turns) = (0.5, 3);
    let (games, statistics) = play(20_000, rollouts(), change);
    let turns = turns_of_whole_games(&games);
    let endgames: Vec<&FinishedGame> = games.iter().filter(|game| game.origin == Origin::Endgame).collect();
    assert!(endgames.len() > 5, "{} of {}", endgames.len(), games.len());
    assert_eq!((statistics.forks, statistics.endgames), (0, endgames.len() as u64));
    for endgame in endgames {
        let first = &endgame.records[0].decision;
        assert_eq!((first.step, first.repetitions, first.choice == Choice::Random), (0, 0, false));
        let is_near = |(source, game): &(&Record, &FinishedGame)| {
            let last = game.records.last().unwrap().decision.turn;
            game.outcome.winner.is_some() && last - source.decision.turn < 3
        };
        assert!(turns[first.fen.as_str()].iter().any(is_near), "{first:?}");
    }
}

#[test]
fn a_lost_side_gives_up_and_the_end_that_never_came_is_not_told() {
    let change = |config: &mut SelfPlayConfig| (config.resign_threshold, config.resign_playthrough_share) = (0.9, 0.3);
    let (games, statistics) = play(20_000, RedWins, change);
    let (resigned, played): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.is_resigned());
    assert!(resigned.len() > 5 && played.len() > 5, "{} and {}", resigned.len(), played.len());
    for game in &resigned {
        assert_eq!((game.outcome.winner, game.gave_up), (Some(Side::Red), Some(Side::Black)));
        assert!(game.records.iter().all(|record| (record.steps_left, record.red_lead) == (None, None)));
        assert!(game.turns < 16, "before the limit on turns");
    }
    let checked = played.iter().filter(|game| game.gave_up == Some(Side::Black));
    let wrong = checked.clone().filter(|game| game.outcome.winner != Some(Side::Red)).count() as u64;
    let counted = (statistics.resigned, statistics.resign_checked, statistics.resign_wrong);
    assert_eq!(counted, (resigned.len() as u64, checked.count() as u64, wrong));
    // Steps of no plan seldom win for red.
    assert!(wrong > 0);
}

/// Everything at once.
fn mix(config: &mut SelfPlayConfig) {
    (config.fork_share, config.endgame_share, config.full_search_share) = (0.3, 0.3, 0.7);
    (config.resign_threshold, config.resign_turns, config.resign_playthrough_share) = (0.2, 1, 0.3);
}

#[test]
fn whatever_games_begin_and_end_with_the_rules_agree_and_the_budget_may_be_cut() {
    let (games, statistics) = play(12_000, rollouts(), mix);
    let mut settings = settings(0);
    mix(&mut settings.config);
    let mut group = Group::<Mini, _>::new(settings, rollouts());
    let sliced: Vec<FinishedGame> = [1, 3_999, 8_000].into_iter().flat_map(|part| group.play(part)).collect();
    assert_eq!((&games, &statistics), (&sliced, &group.take_statistics()));
    let counts = [statistics.forks, statistics.endgames, statistics.resigned, statistics.resign_checked];
    assert!(counts.iter().all(|&count| count > 0), "{statistics:?}");
    let records: Vec<Record> = games.into_iter().flat_map(|game| game.records).collect();
    records.iter().for_each(|record| record.check().unwrap());
    let chunk = Chunk { records, ..played(0) };
    verify::<Mini>(&rules(), &chunk).unwrap();
    let resigned = |record: &Record| record.outcome.reason == Reason::Resignation;
    let row = chunk.records.iter().rposition(resigned).unwrap();
    let mut cut = chunk.clone();
    cut.records[row].outcome.winner = cut.records[row].outcome.winner.map(Side::other);
    assert!(verify::<Mini>(&rules(), &cut).is_err(), "the winner resigned");
    let directory = tempfile::tempdir().unwrap();
    let written = Chunk::write(directory.path(), chunk.meta.clone(), chunk.records.clone()).unwrap();
    assert_eq!(Chunk::read(&written.path).unwrap().records, chunk.records);
}
