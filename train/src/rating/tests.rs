use std::fs;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Seeds, Variant};
use heng_mcts::ladder::Rung;
use heng_mcts::net::{Device, NetConfig, Network, PlayNet};
use heng_mcts::search::SearchConfig;

use super::*;

fn rung(agent: &str, elo: f64) -> Rung {
    Rung { agent: agent.to_owned(), elo, low: elo - 10.0, high: elo + 10.0, games: 100 }
}

fn ladder() -> Ladder {
    Ladder {
        variant: "eternal-mini".to_owned(),
        version: "0.1.0".to_owned(),
        seed: 1,
        openings: "random:0".to_owned(),
        first_mover: -30.0,
        draws: 0.2,
        rungs: vec![
            rung("random", 0.0),
            rung("rollout:20", 300.0),
            rung("uci:engine", 400.0),
            rung("alphabeta:1", 900.0),
        ],
    }
}

/// The rating of a random network, and the rungs that it played.
struct RandomNet;

impl VariantVisitor for RandomNet {
    type Output = (Rating, Vec<RungScore>);

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Self::Output {
        let net = NetConfig { channels: 8, blocks: 1, ..NetConfig::default() };
        let network = Network::random(&net, G::shape(&rules), Seeds::new(1)).unwrap();
        // The search must not know better: what wins or loses at once is most of what `rollout:20` is asked.
        let untold = SearchConfig { immediate_wins: false, immediate_losses: false, ..SearchConfig::default() };
        let benchmark = Benchmark {
            rules,
            net: PlayNet::new(&network, &Device::flex()),
            search: SearchConfig { simulations: 4, ..untold }.without_exploration(),
            pairs: 0..10,
            seeds: Seeds::new(1),
        };
        let rungs = Rungs::new(ladder()).unwrap();
        rungs.rate::<G>(&benchmark, None, &ProgressBar::hidden(), &Stop::default()).unwrap()
    }
}

#[test]
fn a_net_that_knows_nothing_is_rated_far_below_alpha_beta() {
    let (rating, rungs) = "eternal-mini".parse::<Variant>().unwrap().dispatch(RandomNet);
    assert_eq!(rating.games, 20);
    assert!(rating.low < rating.elo && rating.elo < 700.0, "{rating:?}");
    let games: u64 = rungs.iter().flat_map(|rung| rung.as_red.iter().chain(&rung.as_black)).sum();
    assert_eq!(games, 20);
    let lost =
        rungs.iter().find(|rung| rung.agent == "alphabeta:1").map_or(0, |rung| rung.as_red[2] + rung.as_black[2]);
    assert!(lost < 10, "most games are against the rungs near it: {rungs:?}");
    assert!(rungs.iter().all(|rung| rung.agent != "uci:engine"), "another program is none of our rungs: {rungs:?}");
}

#[test]
fn a_ladder_without_opponents_of_ours_is_none() {
    let error = Rungs::new(Ladder { rungs: vec![rung("uci:engine", 0.0)], ..ladder() }).unwrap_err();
    assert_eq!(error, "no rung is `random`, `rollout:N` or `alphabeta:D`");
    let error = Rungs::new(Ladder { draws: 1.0, ..ladder() }).unwrap_err();
    assert!(error.starts_with("key `draws` is `1`"), "{error}");
}

#[test]
fn a_run_keeps_a_copy_of_its_ladder_and_wrong_ones_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let run = RunDir::create(&directory.path().join("run")).unwrap();
    let file = directory.path().join("ladder.toml");
    let source =
        format!("variant = \"eternal-mini\"\n[rating]\nevery = 1\nladder = {:?}\n", file.display().to_string());
    fs::write(run.config(), source).unwrap();
    let config = Config::load(&run.config(), &[]).unwrap();
    let error = || Rungs::of_run(&run, &config).unwrap_err().to_string();
    assert!(
        error().ends_with("ladder.toml: no such file: rating.every is 1, and ratings need a ladder"),
        "{}",
        error()
    );
    let text = toml::to_string(&ladder()).unwrap();
    for (damaged, problem) in [
        (text.replace("eternal-mini", "xiangqi"), "ladder of `xiangqi`, the run's variant is `eternal-mini`"),
        (text.replace("first_mover", "first"), "unknown field `first`"),
        (text.replace("alphabeta:1", "random"), "rung 4, key `agent`: `random` is there twice"),
    ] {
        fs::write(&file, damaged).unwrap();
        assert!(error().starts_with(&format!("{}: {problem}", file.display())), "{}", error());
        assert!(!run.ladder().exists());
    }
    fs::write(&file, &text).unwrap();
    Rungs::of_run(&run, &config).unwrap();
    assert_eq!(fs::read_to_string(run.ladder()).unwrap(), text);
    fs::remove_file(&file).unwrap();
    Rungs::of_run(&run, &config).unwrap();
}

#[test]
fn ratings_read_back_and_damaged_lines_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let run = RunDir::create(&directory.path().join("run")).unwrap();
    let rating = Rating { elo: 123.456, low: 100.0, high: 150.0, games: 20, is_bounded_by_prior: false };
    let scores = vec![RungScore { agent: "random".to_owned(), elo: 0.0, as_red: [7, 1, 2], as_black: [5, 0, 5] }];
    let at = |iteration| {
        let moment = Moment { iteration, seconds: 1.5, evaluations: 1000 * iteration };
        NetRating::new(moment, &rating, 64, scores.clone())
    };
    assert_eq!(at(1).summary(), "+123 Elo (+100 to +150)  random 12-1-7");
    let mut file = RatingsFile::open(&run, 9).unwrap();
    for iteration in [2, 4, 6] {
        file.push(&run, at(iteration)).unwrap();
    }
    assert_eq!(RatingsFile::open(&run, 9).unwrap().all(), [at(2), at(4), at(6)]);
    assert_eq!(RatingsFile::open(&run, 5).unwrap().all(), [at(2), at(4)], "the last is of a net that is no more");
    let text = fs::read_to_string(run.ratings()).unwrap();
    for (damaged, problem) in [
        (text.replacen("\"elo\":123.46", "\"elo\":12.3", 1), ":1: elo 12.3 from 100 to 150, expected them in order"),
        (text.replacen("\"iteration\":4", "\"iteration\":2", 1), ":2: iteration 2 after 2"),
        (text.replacen("\"games\"", "\"gomes\"", 1), ":1: unknown field `gomes`"),
    ] {
        fs::write(run.ratings(), damaged).unwrap();
        let error = RatingsFile::open(&run, 9).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}{problem}", run.ratings().display())), "{error}");
    }
}
