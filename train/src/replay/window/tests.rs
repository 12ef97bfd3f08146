use heng_env::seeds::{Purpose, Seeds};
use tempfile::TempDir;

use super::*;
use crate::selfplay::tests::{Mini, VARIANT, played, rules};

fn window(config: ReplayConfig) -> ReplayWindow<Mini> {
    ReplayWindow::new(VARIANT, rules(), config)
}

fn full(config: ReplayConfig) -> ReplayWindow<Mini> {
    let mut window = window(config);
    window.push(&played(3_000)).unwrap();
    window
}

fn rng(index: u64) -> Rng {
    Seeds::new(5).stream(Purpose::Learning, index)
}

/// A chunk with the numbers of `iteration`, and how many samples it has.
fn numbered(iteration: u64) -> (Chunk, u64) {
    let mut chunk = played(1_000);
    chunk.meta.iteration = iteration;
    // So that samples tell where they come from.
    for record in &mut chunk.records {
        record.steps_left = Some(1 + iteration as u32);
    }
    let samples = chunk.records.iter().filter(|record| record.is_sample()).count() as u64;
    (chunk, samples)
}

#[test]
fn the_same_stream_samples_the_same_batch_with_any_number_of_threads() {
    let window = full(ReplayConfig::default());
    let batch = window.sample(64, &mut rng(0)).unwrap();
    assert_eq!(batch.len(), 64);
    assert_ne!(batch, window.sample(64, &mut rng(1)).unwrap());
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(batch, pool.install(|| window.sample(64, &mut rng(0))).unwrap());
    }
}

#[test]
fn a_sample_is_its_position_or_the_mirror_image_with_the_policy_of_either() {
    let window = full(ReplayConfig::default());
    let batch = window.sample(256, &mut rng(0)).unwrap();
    let mut rng = rng(0);
    let mut mirrored = 0;
    for (row, planes) in batch.inputs.outer_iter().enumerate() {
        let draw = window.draw(&mut rng);
        mirrored += usize::from(draw.mirrored);
        let mut position = Mini::from_fen(&rules(), &draw.sample.fen).unwrap();
        position.set_repetitions(draw.sample.repetitions);
        let expected = if draw.mirrored { position.mirrored() } else { position };
        let mut encoded = vec![f32::NAN; planes.len()];
        expected.encode(&mut encoded);
        assert_eq!(planes.as_slice().unwrap(), encoded);
        let (from, to) = (batch.legal_offsets[row], batch.legal_offsets[row + 1]);
        let mut found: Vec<Action> = batch.actions[from..to].iter().map(|&a| Action::new(a.into())).collect();
        assert_eq!(batch.targets[from..to], *draw.sample.policy);
        let mut legal = Vec::new();
        expected.legal_actions(&mut legal);
        found.sort_unstable();
        legal.sort_unstable();
        assert_eq!(found, legal);
    }
    assert!((64..192).contains(&mirrored), "{mirrored}");
    assert!(!batch.inputs.iter().any(|value| value.is_nan()));
}

#[test]
fn without_mirroring_positions_are_as_they_were_played() {
    let window = full(ReplayConfig { mirror: false, ..ReplayConfig::default() });
    assert!((0..100).all(|_| !window.draw(&mut rng(0)).mirrored));
}

#[test]
fn targets_are_those_of_the_side_to_act() {
    let share = 0.25;
    let window = full(ReplayConfig { root_value_share: share, mirror: false, ..ReplayConfig::default() });
    let chunk = played(3_000);
    let samples: Vec<&Record> = chunk.records.iter().filter(|record| record.is_sample()).collect();
    assert_eq!(window.len(), samples.len());
    for (record, sample) in samples.into_iter().zip(&window.blocks[0].samples) {
        let is = |side: Option<Side>| if record.outcome.winner == side { 1.0 } else { 0.0 };
        let (side, root) = (record.decision.side, record.decision.root.unwrap());
        assert!((sample.target.win - (0.75 * is(Some(side)) + share * root.win)).abs() < 1e-6);
        assert!((sample.target.draw - (0.75 * is(None) + share * root.draw)).abs() < 1e-6);
        assert!((sample.target.loss - (0.75 * is(Some(side.other())) + share * root.loss)).abs() < 1e-6);
        if record.outcome.winner == Some(side) {
            assert!(sample.lead >= 0.0);
        }
    }
}

#[test]
fn the_window_slides() {
    let (_, each) = numbered(0);
    let config = ReplayConfig { window_min: each + 1, window_max: each + 1, ..ReplayConfig::default() };
    let mut window = window(config);
    assert!(matches!(window.sample(1, &mut rng(0)), Err(ReplayError::Empty)));
    for iteration in 0..4 {
        window.push(&numbered(iteration).0).unwrap();
    }
    assert_eq!((window.total(), window.len() as u64, window.blocks.len()), (4 * each, each + 1, 2));
    let batch = window.sample(4_000, &mut rng(0)).unwrap();
    let count = |iteration: u64| batch.steps_left.iter().filter(|&&left| left == 1.0 + iteration as f32).count();
    assert_eq!(count(2) + count(3), 4_000);
    // One position of the older chunk is in the window.
    let expected = 4_000 / (each as usize + 1);
    assert!((1..4 * expected.max(2)).contains(&count(2)), "{} of {expected}", count(2));
}

#[test]
fn a_refilled_window_samples_as_the_one_that_was_lost() {
    let directory = TempDir::new().unwrap();
    let (_, each) = numbered(0);
    let config = ReplayConfig { window_min: 2 * each, window_growth: 0.1, keep_chunks: 1, ..ReplayConfig::default() };
    let mut lost = window(config.clone());
    for iteration in 0..6 {
        let chunk = numbered(iteration).0;
        lost.push(&Chunk::write(directory.path(), chunk.meta, chunk.records).unwrap()).unwrap();
    }
    let files = ChunkFile::list(directory.path()).unwrap();
    let mut refilled = window(config);
    refilled.refill(&files, lost.total()).unwrap();
    assert_eq!((refilled.len(), refilled.total()), (lost.len(), lost.total()));
    assert_eq!(refilled.sample(64, &mut rng(0)).unwrap(), lost.sample(64, &mut rng(0)).unwrap());
    let expired = lost.expired(&files);
    assert_eq!(expired, refilled.expired(&files));
    assert!(!expired.is_empty() && expired.len() <= 4);
    for path in &expired {
        std::fs::remove_file(path).unwrap();
    }
    let kept = ChunkFile::list(directory.path()).unwrap();
    let mut again = window(lost.config.clone());
    again.refill(&kept, lost.total()).unwrap();
    assert_eq!(again.sample(64, &mut rng(0)).unwrap(), lost.sample(64, &mut rng(0)).unwrap());
}

#[test]
fn chunks_that_do_not_belong_to_the_run_are_refused() {
    let mut window = full(ReplayConfig::default());
    let mut other = played(3_000);
    other.meta.variant = "eternal-free".to_owned();
    let error = window.push(&other).unwrap_err().to_string();
    assert!(error.contains("`eternal-free`") && error.contains(VARIANT), "{error}");
    let mut unknown = played(3_000);
    let row = unknown.records.iter().position(Record::is_sample).unwrap();
    unknown.records[row].decision.actions[0] = Action::new(65_000);
    let error = window.push(&unknown).unwrap_err().to_string();
    assert!(error.contains(&format!("row {row}, column `actions`")), "{error}");
    let mut unreadable = played(3_000);
    for record in &mut unreadable.records {
        record.decision.fen = "nonsense".to_owned();
    }
    let mut window = self::window(ReplayConfig::default());
    window.push(&unreadable).unwrap();
    let error = window.sample(1, &mut rng(0)).unwrap_err().to_string();
    assert!(error.contains("column `fen`"), "{error}");
}

#[test]
fn the_targets_of_auxiliary_heads_come_from_later_in_the_game_as_the_side_to_act_sees_the_board() {
    let chunk = played(3_000);
    let mut window = window(ReplayConfig::default()).with_auxiliary_targets(true);
    window.push(&chunk).unwrap();
    let batch = window.sample(256, &mut rng(0)).unwrap();
    let AuxiliaryTargets { short_term, replies } = batch.auxiliary.expect("it was asked for");
    assert_eq!(short_term.dim(), (256, 3 * SHORT_TERM_HORIZONS.len()));
    assert!(short_term.rows().into_iter().all(|row| (row.sum() - SHORT_TERM_HORIZONS.len() as f32).abs() < 1e-5));
    let (mut rng, mut with_reply) = (rng(0), 0);
    for row in 0..256 {
        let draw = window.draw(&mut rng);
        let record = &chunk.records[draw.sample.row as usize];
        let rest = chunk.records[draw.sample.row as usize..].iter().take_while(|later| later.game == record.game);
        let mut turn = rest
            .skip_while(|later| later.decision.side == record.decision.side)
            .take_while(|later| later.decision.side != record.decision.side);
        let reply = turn.find(|later| later.is_sample()).map(|reply| &reply.decision);
        let steps = replies.offsets[row]..replies.offsets[row + 1];
        assert_eq!(replies.targets[steps.clone()], *reply.map_or(&[][..], |reply| &reply.policy));
        let Some(reply) = reply else { continue };
        with_reply += 1;
        // The same position as the other side would see it: its ranks are turned over, and it may be mirrored.
        let shape = Mini::shape(&rules());
        let expected = reply.actions.iter().map(|action| {
            let turned = action.turned(&shape);
            let seen = if draw.mirrored { Mini::mirror_action(&rules(), turned) } else { turned };
            seen.index() as u16
        });
        assert_eq!(replies.actions[steps], expected.collect::<Vec<_>>());
    }
    assert!((128..256).contains(&with_reply), "{with_reply}");
    assert!(full(ReplayConfig::default()).sample(8, &mut self::rng(0)).unwrap().auxiliary.is_none());
}

#[test]
fn only_positions_of_earlier_iterations_are_drawn_to_be_searched_anew() {
    let (_, each) = numbered(0);
    let each = each as usize;
    let config =
        ReplayConfig { window_min: 2 * each as u64 + 1, window_max: 2 * each as u64 + 1, ..Default::default() };
    let mut window = window(config);
    assert!(window.draw_older(9, 5, &mut rng(0)).is_empty());
    (1..=4).for_each(|iteration| window.push(&numbered(iteration).0).unwrap());
    // The window holds the positions of iterations 4 and 3, and one of 2.
    for (iteration, expected) in [(5, 2 * each + 1), (4, each + 1), (3, 1), (2, 0)] {
        let mut places = window.draw_older(iteration, 10 * each, &mut rng(0));
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), expected, "before iteration {iteration}");
    }
    let few = window.draw_older(4, 7, &mut rng(1));
    assert_eq!((few.len(), few.clone()), (7, window.draw_older(4, 7, &mut rng(1))));
    assert_ne!(few, window.draw_older(4, 7, &mut rng(2)));
}
