//! Games files on disk: what comes back, and what is said when they are not what they were.

use std::fs;
use std::path::Path;

use heng_env::game::{Action, Outcome, Reason, Side};
use heng_mcts::value::Wdl;
use tempfile::TempDir;

use super::*;
use crate::selfplay::tests::{Mini, played, rules};

fn write(directory: &TempDir, chunk: &Chunk) -> Chunk {
    Chunk::write(directory.path(), chunk.meta.clone(), chunk.records.clone()).unwrap()
}

#[test]
fn rows_come_back_as_they_were_written() {
    let directory = TempDir::new().unwrap();
    let chunk = write(&directory, &played(3_000));
    assert!(chunk.records.len() > 100);
    assert!(chunk.path.file_name().unwrap().to_str().unwrap().starts_with("000003-01-"));
    assert_eq!(Chunk::read(&chunk.path).unwrap(), chunk);
    verify::<Mini>(&rules(), &chunk).unwrap();
    let listed = ChunkFile::list(directory.path()).unwrap();
    assert_eq!(listed, [ChunkFile { iteration: 3, part: 1, path: chunk.path }]);
}

#[test]
fn a_chunk_without_games_is_a_chunk() {
    let directory = TempDir::new().unwrap();
    let chunk = write(&directory, &Chunk { records: Vec::new(), ..played(0) });
    assert_eq!(Chunk::read(&chunk.path).unwrap(), chunk);
}

#[test]
fn files_are_listed_by_iteration_and_part() {
    let directory = TempDir::new().unwrap();
    let names = ["000010-00-a.parquet", "000002.parquet", "000002-10-b.parquet", "000002-9-c.parquet", "1.txt"];
    for name in names {
        fs::write(directory.path().join(name), "").unwrap();
    }
    let listed = ChunkFile::list(directory.path()).unwrap();
    let numbers: Vec<(u64, u64)> = listed.iter().map(|file| (file.iteration, file.part)).collect();
    assert_eq!(numbers, [(2, 0), (2, 9), (2, 10), (10, 0)]);
    fs::write(directory.path().join("games.parquet"), "").unwrap();
    let error = ChunkFile::list(directory.path()).unwrap_err();
    assert!(error.to_string().contains("games.parquet"), "{error}");
}

#[test]
fn every_altered_byte_and_every_cut_is_noticed() {
    let directory = TempDir::new().unwrap();
    let chunk = write(&directory, &played(800));
    assert!(!chunk.records.is_empty());
    let contents = fs::read(&chunk.path).unwrap();
    for at in (0..contents.len()).step_by(97) {
        let mut altered = contents.clone();
        altered[at] ^= 1 << (at % 8);
        for wrong in [&altered[..], &contents[..at]] {
            fs::write(&chunk.path, wrong).unwrap();
            let error = Chunk::read(&chunk.path).unwrap_err();
            assert!(matches!(error, ReplayError::Altered { .. }), "{error}");
            assert!(error.to_string().contains(chunk.path.to_str().unwrap()));
        }
    }
}

#[test]
fn a_file_without_a_checksum_in_its_name_is_not_parsed() {
    let directory = TempDir::new().unwrap();
    let chunk = write(&directory, &played(800));
    let renamed = chunk.path.with_file_name("000003-01.parquet");
    fs::rename(&chunk.path, &renamed).unwrap();
    let error = Chunk::read(&renamed).unwrap_err();
    assert!(matches!(error, ReplayError::Name { .. }), "{error}");
    assert!(error.to_string().contains("000003-01.parquet"));
}

#[test]
fn a_file_of_another_kind_is_no_chunk() {
    let directory = TempDir::new().unwrap();
    // The checksum is that of the contents.
    let path = directory.path().join("000001-00-2cf24dba5fb0a30e.parquet");
    fs::write(&path, "hello").unwrap();
    let error = Chunk::read(&path).unwrap_err();
    assert!(matches!(error, ReplayError::NotParquet { .. }), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let path = Path::new("nowhere/000001-00-0123456789abcdef.parquet");
    let error = Chunk::read(path).unwrap_err();
    assert!(matches!(error, ReplayError::Io { .. }));
    assert!(error.to_string().starts_with("nowhere/000001-00-0123456789abcdef.parquet: "), "{error}");
    assert!(Chunk::write(Path::new("nowhere"), played(0).meta, Vec::new()).is_err());
}

/// A column, and a change to a record that makes its value wrong.
type Change = (&'static str, fn(&mut Record));

/// What can be told without the rules.
fn impossible_values() -> Vec<Change> {
    vec![
        ("actions", |record| (record.decision.actions, record.decision.policy) = (Vec::new(), Vec::new())),
        ("policy", |record| record.decision.policy.push(0.0)),
        ("policy", |record| record.decision.policy[0] += 0.1),
        ("policy", |record| record.decision.policy[0] = -0.5),
        ("policy", |record| record.decision.policy[0] = f32::NAN),
        ("action", |record| record.decision.action = Action::new(60_000)),
        ("root_win", |record| record.decision.root = None),
        ("root_win", |record| record.decision.root = Some(Wdl { win: 0.9, draw: 0.0, loss: 0.3 })),
        ("root_draw", |record| record.decision.root = Some(Wdl { win: 0.9, draw: -0.2, loss: 0.3 })),
        ("steps_left", |record| record.steps_left = Some(0)),
        ("steps_left", |record| record.steps_left = None),
        ("steps_left", |record| record.outcome = Outcome::win(Side::Red, Reason::Resignation)),
        ("outcome", |record| record.outcome = Outcome::draw(Reason::Resignation)),
        ("red_lead", |record| record.red_lead = Some(2.0)),
        ("red_lead", |record| record.red_lead = None),
        ("weight", |record| record.weight = f32::INFINITY),
        ("weight", |record| record.decision.choice = Choice::Forced),
    ]
}

#[test]
fn an_impossible_value_is_named_by_row_and_column() {
    let directory = TempDir::new().unwrap();
    let good = played(2_000);
    let row = good.records.iter().rposition(|record| record.is_sample()).unwrap();
    for (column, change) in impossible_values() {
        let mut bad = good.clone();
        change(&mut bad.records[row]);
        let error = Chunk::read(&write(&directory, &bad).path).unwrap_err();
        let expected = format!("row {row}, column `{column}`");
        assert!(error.to_string().contains(&expected), "{error} for {expected}");
    }
}

/// What only the rules contradict.
fn false_values() -> Vec<Change> {
    vec![
        ("fen", |record| record.decision.fen = "8/8 r - 0-0 1".to_owned()),
        ("side", |record| record.decision.side = record.decision.side.other()),
        ("repetitions", |record| record.decision.repetitions += 1),
        ("turn", |record| record.decision.turn += 1),
        ("step", |record| record.decision.step += 1),
        ("steps_left", |record| record.steps_left = record.steps_left.map(|steps| steps + 1)),
        ("actions", |record| record.decision.actions.reverse()),
        ("outcome", |record| record.outcome = Outcome::win(Side::Red, record.outcome.reason)),
        ("reason", |record| record.outcome.reason = Reason::Mate),
    ]
}

#[test]
fn verifying_plays_the_games_again() {
    let good = played(6_000);
    let last = good.records.iter().rposition(|record| record.outcome.winner == Some(Side::Black)).unwrap();
    let middle = last - good.records[last].decision.step as usize / 2;
    for (column, change) in false_values() {
        for row in [middle, last] {
            let mut bad = good.clone();
            change(&mut bad.records[row]);
            let error = verify::<Mini>(&rules(), &bad).unwrap_err();
            let expected = format!("row {row}, column `{column}`");
            assert!(error.to_string().contains(&expected), "{error} for {expected}");
        }
    }
    let mut cut = good.clone();
    cut.records.truncate(middle);
    assert!(verify::<Mini>(&rules(), &cut).is_err());
    let mut beheaded = good.clone();
    beheaded.records.drain(..1);
    assert!(verify::<Mini>(&rules(), &beheaded).is_err());
}
