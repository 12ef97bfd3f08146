use std::fs;

use heng_mcts::ladder::{Ladder, Rung};

use super::*;

/// A folder with a tiny configuration and a ladder for it.
fn folder() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let rung = |agent: &str, elo: f64| Rung { agent: agent.to_owned(), elo, low: elo, high: elo, games: 10 };
    let ladder = Ladder {
        variant: "eternal-mini".to_owned(),
        version: "0.1.0".to_owned(),
        seed: 1,
        openings: "random:0".to_owned(),
        first_mover: 0.0,
        draws: 0.1,
        rungs: vec![rung("random", 0.0), rung("rollout:5", 100.0)],
    };
    let file = directory.path().join("ladder.toml");
    fs::write(&file, toml::to_string(&ladder).unwrap()).unwrap();
    let config = format!(
        "variant = \"eternal-mini\"\nseed = 5\n[net]\nchannels = 8\nblocks = 1\n[search]\nsimulations = 2\n\
         [selfplay]\ngroups = 2\ngames_per_group = 4\nevaluations_per_iteration = 200\nslices = 1\n\
         [replay]\nmin_positions = 1\n[schedule]\nbatch = 8\n\
         [rating]\ngames = 4\nsimulations = 2\nladder = {:?}\n",
        file.display().to_string()
    );
    fs::write(directory.path().join("tiny.toml"), config).unwrap();
    directory
}

fn experiment(folder: &Path, vary: &str, seeds: u64) -> Experiment {
    let arms = arms(&[folder.join("tiny.toml")], &[Factor::parse(vary).unwrap()]);
    Experiment {
        arms,
        overrides: Vec::new(),
        seeds,
        evaluations: 500,
        ratings: 3,
        duel_games: 3,
        out: folder.join("out"),
    }
}

#[test]
fn arms_are_trained_at_equal_evaluations_and_compared() {
    let folder = folder();
    let experiment = experiment(folder.path(), "search.simulations=2,3", 2);
    experiment.run(&Console::quiet(), &Stop::default()).unwrap();
    let read = |name: &str| fs::read_to_string(experiment.out.join(name)).unwrap();
    let report: serde_json::Value = serde_json::from_str(&read("ablation.json")).unwrap();
    let curves = report["curves"].as_array().unwrap();
    assert_eq!(curves.len(), 2);
    for curve in curves.iter().flat_map(|arm| arm["curves"].as_array().unwrap()) {
        let evaluations: Vec<f64> =
            curve.as_array().unwrap().iter().map(|point| point["evaluations"].as_f64().unwrap()).collect();
        // Three iterations of 200, each over by less than a batch of each group.
        assert_eq!(evaluations.len(), 3);
        assert!((600.0..=632.0).contains(&evaluations[2]), "{evaluations:?}");
    }
    assert_eq!(read("ablation.csv").lines().count(), 1 + 2 * 2 * 3);
    assert!(read("ablation.md").contains("| `search.simulations=3` |"));
    assert!(read("ablation.svg").starts_with("<svg"));
    let duels: Vec<Duel> = serde_json::from_str(&read("duels.json")).unwrap();
    let seeds: Vec<u64> = duels.iter().map(|duel| duel.seed).collect();
    assert_eq!(seeds, [5, 6], "one for each seed of the second arm");
    // Three were asked for: games come in pairs.
    assert!(duels.iter().all(|duel| duel.wins + duel.draws + duel.losses == 4), "{duels:?}");
    // Called again, there is nothing left to do.
    let before = read("ablation.json");
    experiment.run(&Console::quiet(), &Stop::default()).unwrap();
    assert_eq!(read("ablation.json"), before);
}

#[test]
fn another_experiment_in_the_same_folder_is_refused() {
    let folder = folder();
    experiment(folder.path(), "search.simulations=2,3", 1).run(&Console::quiet(), &Stop::default()).unwrap();
    let mut other = experiment(folder.path(), "search.simulations=2,3", 1);
    other.overrides = vec![Override::parse("schedule.batch=4").unwrap()];
    let error = other.run(&Console::quiet(), &Stop::default()).unwrap_err().to_string();
    assert!(error.contains("seed-5/config.toml: is of another configuration than this experiment asks for"), "{error}");
}

#[test]
fn without_a_ladder_nothing_begins() {
    let folder = folder();
    fs::remove_file(folder.path().join("ladder.toml")).unwrap();
    let experiment = experiment(folder.path(), "search.simulations=2", 1);
    let error = experiment.run(&Console::quiet(), &Stop::default()).unwrap_err().to_string();
    assert!(
        error.ends_with("no such file: ratings need a ladder; with --ratings 0 arms only play each other"),
        "{error}"
    );
    assert!(!experiment.out.exists());
    let experiment = Experiment { ratings: 0, ..experiment };
    experiment.run(&Console::quiet(), &Stop::default()).unwrap();
    assert!(experiment.out.join("ablation.md").exists() && !experiment.out.join("ablation.svg").exists());
}
