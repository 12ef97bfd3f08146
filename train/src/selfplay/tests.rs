//! Self-play of `eternal-mini`.

use std::any::Any;
use std::cell::Cell;
use std::path::PathBuf;

use heng_env::Variant;
use heng_env::game::{Game, Notation};
use heng_env::seeds::{Purpose, Seeds};
use heng_env::variants::VariantVisitor;
use heng_env::variants::eternal::{Eternal, MiniBoard};
use heng_mcts::evaluator::{Evaluation, Evaluator, RolloutEvaluator, UniformEvaluator};
use heng_mcts::search::{Algorithm, SearchConfig};
use rayon::prelude::*;

use super::*;
use crate::replay::{Choice, Chunk, ChunkMeta, verify};

mod starts_and_ends;

/// The game that is played.
pub(crate) type Mini = Eternal<MiniBoard>;

/// Short games, so that some end in a draw.
pub(crate) const VARIANT: &str = "eternal-mini:turn_limit=16";

/// The rules of [`VARIANT`].
pub(crate) fn rules() -> <Mini as Game>::Rules {
    struct Rules;
    impl VariantVisitor for Rules {
        type Output = Box<dyn Any>;

        fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Box<dyn Any> {
            Box::new(rules)
        }
    }
    let variant: Variant = VARIANT.parse().unwrap();
    *variant.dispatch(Rules).downcast().unwrap()
}

fn settings(group: usize) -> GroupSettings<<Mini as Game>::Rules> {
    let config = SelfPlayConfig {
        groups: 3,
        games_per_group: 5,
        cache: 100,
        random_opening_share: 0.5,
        random_opening_turns: 3,
        ..SelfPlayConfig::default()
    };
    let search = SearchConfig { simulations: 8, ..SearchConfig::default() };
    GroupSettings { rules: rules(), config, search, seeds: Seeds::new(7), group, games_begun: 0 }
}

/// Games to test with, as a chunk that is not on disk.
pub(crate) fn played(evaluations: u64) -> Chunk {
    let games = Group::<Mini, _>::new(settings(1), UniformEvaluator).play(evaluations);
    let meta = ChunkMeta { variant: VARIANT.to_owned(), iteration: 3, part: 1, seed: 7, version: "0.1.0".to_owned() };
    let records = games.into_iter().flat_map(|game| game.records).collect();
    Chunk { path: PathBuf::from("games.parquet"), meta, records }
}

#[test]
fn a_budget_cut_into_slices_plays_the_same_games() {
    let mut whole = Group::<Mini, _>::new(settings(0), UniformEvaluator);
    let games = whole.play(6_000);
    assert!(games.len() > 5, "{}", games.len());
    let mut sliced = Group::<Mini, _>::new(settings(0), UniformEvaluator);
    let slices: Vec<FinishedGame> = [1, 999, 2_000, 0, 3_000].into_iter().flat_map(|part| sliced.play(part)).collect();
    assert_eq!(games, slices);
    assert_eq!(whole.take_statistics(), sliced.take_statistics());
}

#[test]
fn games_do_not_depend_on_threads_or_on_other_groups() {
    let play = |group| {
        let mut group = Group::<Mini, _>::new(settings(group), RolloutEvaluator::new(1, Seeds::new(3)));
        (group.play(1_000), group.take_statistics())
    };
    let alone: Vec<_> = (0..3).map(play).collect();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let together: Vec<_> = pool.install(|| (0..3).into_par_iter().map(play).collect());
        assert_eq!(alone, together);
    }
}

/// Evaluates at once when a batch is submitted, as a device would meanwhile, and counts the batches that wait.
struct Meanwhile<'a> {
    inner: RolloutEvaluator,
    answers: Vec<Evaluation>,
    waiting: &'a Cell<usize>,
    most_waiting: &'a Cell<usize>,
}

impl Evaluator<Mini> for Meanwhile<'_> {
    fn evaluate(&mut self, positions: &[&Mini], out: &mut [Evaluation]) {
        self.inner.evaluate(positions, out);
    }

    fn submit(&mut self, positions: &[&Mini]) {
        self.answers = vec![Evaluation::default(); positions.len()];
        self.inner.evaluate(positions, &mut self.answers);
        self.waiting.set(self.waiting.get() + 1);
        self.most_waiting.set(self.most_waiting.get().max(self.waiting.get()));
    }

    fn collect(&mut self, positions: &[&Mini], out: &mut [Evaluation]) {
        assert_eq!(positions.len(), self.answers.len());
        out.clone_from_slice(&self.answers);
        self.waiting.set(self.waiting.get() - 1);
    }
}

#[test]
fn groups_played_in_turn_play_the_games_that_each_plays_alone() {
    let evaluator = || RolloutEvaluator::new(1, Seeds::new(3));
    let budgets = [1_000, 1, 0, 700];
    let play_alone = |index| {
        let mut group = Group::<Mini, _>::new(settings(index), evaluator());
        (budgets.map(|budget| group.play(budget)), group.take_statistics())
    };
    let (waiting, most_waiting) = (Cell::new(0), Cell::new(0));
    let meanwhile =
        || Meanwhile { inner: evaluator(), answers: Vec::new(), waiting: &waiting, most_waiting: &most_waiting };
    let mut groups: Vec<_> = (0..3).map(|index| Group::<Mini, _>::new(settings(index), meanwhile())).collect();
    let played = budgets.map(|budget| Group::play_in_turn(&mut groups, budget));
    assert_eq!((waiting.get(), most_waiting.get()), (0, 3));
    for (index, group) in groups.iter_mut().enumerate() {
        let together = (played.each_ref().map(|finished| finished[index].clone()), group.take_statistics());
        assert_eq!(together, play_alone(index));
    }
}

#[test]
fn the_cache_changes_no_game() {
    let mut uncached = settings(0);
    uncached.config.cache = 0;
    let play = |settings| Group::<Mini, _>::new(settings, RolloutEvaluator::new(1, Seeds::new(3))).play(1_500);
    assert_eq!(play(settings(0)), play(uncached));
}

#[test]
fn every_game_is_whole_and_its_number_is_its_own() {
    let mut numbers = Vec::new();
    for group in 0..3 {
        let mut group = Group::<Mini, _>::new(settings(group), UniformEvaluator);
        for game in group.play(4_000) {
            assert!(game.records.iter().all(|record| record.game == game.game));
            let records = game.records.clone();
            verify::<Mini>(&rules(), &Chunk { records, ..played(0) }).unwrap();
            numbers.push(game.game);
        }
    }
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
}

#[test]
fn only_searched_steps_are_learnt_from() {
    for algorithm in Algorithm::ALL {
        let mut settings = settings(0);
        settings.search.algorithm = algorithm;
        let mut group = Group::<Mini, _>::new(settings, UniformEvaluator);
        let records: Vec<_> = group.play(4_000).into_iter().flat_map(|game| game.records).collect();
        for choice in [Choice::Search, Choice::Random] {
            assert!(records.iter().any(|record| record.decision.choice == choice), "{algorithm}: {choice:?}");
        }
        for record in &records {
            record.check().unwrap();
            assert_eq!(record.is_sample(), record.decision.choice == Choice::Search);
            assert_eq!(record.decision.choice == Choice::Forced, record.decision.actions.len() == 1);
        }
    }
}

#[test]
fn turns_that_are_not_searched_in_full_cost_less_and_are_not_learnt_from() {
    let play = |full_search_share| {
        let mut settings = settings(0);
        (settings.config.full_search_share, settings.config.fast_simulations) = (full_search_share, 2);
        settings.config.random_opening_share = 0.0;
        let mut group = Group::<Mini, _>::new(settings, RolloutEvaluator::new(1, Seeds::new(1)));
        group.play(12_000).into_iter().flat_map(|game| game.records).collect::<Vec<_>>()
    };
    let (full, mixed) = (play(1.0), play(0.25));
    assert!(full.iter().all(|record| record.decision.choice != Choice::Fast));
    assert!(mixed.len() > full.len() * 3 / 2, "{} and {}", mixed.len(), full.len());
    let count = |choice| mixed.iter().filter(|record| record.decision.choice == choice).count() as f64;
    // A quarter of the turns; how many steps those have is another matter.
    let share = count(Choice::Search) / (count(Choice::Search) + count(Choice::Fast));
    assert!((share - 0.25).abs() < 0.1, "{share}");
    for record in &mixed {
        record.check().unwrap();
        assert_eq!(record.is_sample(), record.decision.choice == Choice::Search);
    }
    // The steps of a turn are all searched alike.
    for pair in mixed.windows(2).filter(|pair| pair[0].game == pair[1].game) {
        let choices = pair.iter().map(|record| record.decision.choice).collect::<Vec<_>>();
        if pair[0].decision.turn == pair[1].decision.turn && !choices.contains(&Choice::Forced) {
            assert_eq!(choices[0], choices[1]);
        }
    }
}

#[test]
fn surprising_targets_weigh_more_and_a_game_weighs_what_it_did() {
    let play = |surprise_share| {
        let mut settings = settings(0);
        settings.config.surprise_share = surprise_share;
        Group::<Mini, _>::new(settings, RolloutEvaluator::new(1, Seeds::new(1))).play(6_000)
    };
    let (even, surprised) = (play(0.0), play(0.5));
    assert_eq!(even.len(), surprised.len(), "weights change no game");
    let mut weights = Vec::new();
    for (even, surprised) in even.iter().zip(&surprised) {
        let sum = |game: &FinishedGame| game.records.iter().map(|record| record.weight).sum::<f32>();
        assert!((sum(even) - sum(surprised)).abs() < 1e-2, "{} {}", sum(even), sum(surprised));
        for (even, surprised) in even.records.iter().zip(&surprised.records) {
            assert_eq!((&even.decision, even.is_sample()), (&surprised.decision, surprised.is_sample()));
            weights.extend(Some(surprised.weight).filter(|_| surprised.is_sample()));
        }
    }
    let range =
        weights.iter().fold((f32::MAX, 0.0_f32), |(least, most), &weight| (least.min(weight), most.max(weight)));
    assert!(range.0 >= 0.4 && range.0 < 0.9 && range.1 > 1.2, "{range:?}");
}

#[test]
fn games_go_on_when_the_evaluator_is_replaced() {
    let mut group = Group::<Mini, _>::new(settings(0), RolloutEvaluator::new(1, Seeds::new(1)));
    let mut games = group.play(300);
    for seed in 2..20 {
        group.set_evaluator(RolloutEvaluator::new(1, Seeds::new(seed)));
        games.extend(group.play(300));
    }
    assert!(games.len() > 5);
    let started = Game::start(&rules(), &mut Seeds::new(7).stream(Purpose::SelfPlay, 0));
    let first: &FinishedGame = games.iter().find(|game| game.game == 0).unwrap();
    assert_eq!(first.records[0].decision.fen, Mini::fen(&started));
    for game in games {
        verify::<Mini>(&rules(), &Chunk { records: game.records, ..played(0) }).unwrap();
    }
}

#[test]
fn a_resumed_group_takes_up_the_numbers_behind_the_games_it_began() {
    let mut group = Group::<Mini, _>::new(settings(2), UniformEvaluator);
    group.play(2_000);
    let games_begun = group.games_begun();
    let resumed = GroupSettings { games_begun, ..settings(2) };
    let games = Group::<Mini, _>::new(resumed, UniformEvaluator).play(2_000);
    assert!(games.iter().all(|game| game.game >= 2 + 3 * games_begun && game.game % 3 == 2));
}

#[test]
fn games_that_need_no_evaluation_use_the_budget_up_too() {
    let mut random = settings(0);
    random.config.random_opening_share = 1.0;
    random.config.random_opening_turns = 1_000_000;
    let mut group = Group::<Mini, _>::new(random, UniformEvaluator);
    assert!(!group.play(10).is_empty());
}

#[test]
fn statistics_count_what_was_played() {
    let mut group = Group::<Mini, _>::new(settings(0), UniformEvaluator);
    let games = group.play(5_000);
    let statistics = group.take_statistics();
    assert_eq!(statistics.games, games.len() as u64);
    assert_eq!(statistics.red_wins + statistics.black_wins + statistics.draws, statistics.games);
    let records = games.iter().flat_map(|game| &game.records);
    assert_eq!(statistics.steps, records.clone().count() as u64);
    assert_eq!(statistics.samples, records.filter(|record| record.is_sample()).count() as u64);
    assert!(statistics.evaluations >= 5_000 && statistics.cache_hits > 0);
    assert!(statistics.cache_hits < statistics.evaluations);
    assert!(statistics.policy_entropy > 0.0 && statistics.value_error > 0.0);
    let mut sum = statistics.clone();
    sum.merge(&group.take_statistics());
    assert_eq!(sum, statistics);
}
