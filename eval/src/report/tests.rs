//! Reports of made-up runs.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray, UInt16Array, UInt64Array};
use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Purpose, Rng, Seeds, Side, Variant};
use parquet::arrow::ArrowWriter;
use rand::RngExt;

use super::{ReportArgs, html, run};

/// One step of a random game: game, fen, action, root_win, root_loss, outcome, reason.
type Row = (u64, String, u16, Option<f32>, Option<f32>, String, String);

fn random_game(number: u64, rng: &mut Rng) -> Vec<Row> {
    let variant = "eternal-mini".parse::<Variant>().unwrap();
    struct Play<'a>(u64, &'a mut Rng);
    impl VariantVisitor for Play<'_> {
        type Output = Vec<Row>;
        fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Vec<Row> {
            let mut game = G::start(&rules, self.1);
            let (mut rows, mut legal) = (Vec::new(), Vec::new());
            while game.outcome().is_none() {
                game.legal_actions(&mut legal);
                let action: Action = legal[self.1.random_range(0..legal.len())];
                let value = (legal.len() > 1).then_some(0.25);
                let index = action.index() as u16;
                rows.push((self.0, game.fen(), index, value, value, String::new(), String::new()));
                game.apply(action);
            }
            let outcome = game.outcome().unwrap();
            let winner = match outcome.winner {
                Some(Side::Red) => "red",
                Some(Side::Black) => "black",
                None => "draw",
            };
            for row in &mut rows {
                (row.5, row.6) = (winner.to_owned(), outcome.reason.name().to_owned());
            }
            rows
        }
    }
    variant.dispatch(Play(number, rng))
}

/// Writes a games file named by its contents into a run, and returns its path inside the run.
fn write_games(run: &Path, iteration: u64, rows: &[Row]) -> String {
    let text =
        |column: fn(&Row) -> &str| -> ArrayRef { Arc::new(StringArray::from_iter_values(rows.iter().map(column))) };
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("game", Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.0)))),
        ("fen", text(|row| &row.1)),
        ("action", Arc::new(UInt16Array::from_iter_values(rows.iter().map(|row| row.2)))),
        ("root_win", Arc::new(rows.iter().map(|row| row.3).collect::<Float32Array>())),
        ("root_loss", Arc::new(rows.iter().map(|row| row.4).collect::<Float32Array>())),
        ("outcome", text(|row| &row.5)),
        ("reason", text(|row| &row.6)),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut contents = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut contents, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let name = format!("games/{iteration:06}-00-{}.parquet", super::games::checksum(&contents));
    fs::write(run.join(&name), contents).unwrap();
    name
}

fn metrics_line(iteration: u64) -> String {
    let decay = 1.0 / (1.0 + iteration as f64 / 6.0);
    serde_json::json!({
        "iteration": iteration, "seconds": 12.0 * iteration as f64, "games": 40, "positions": 900, "evaluations": 50_000,
        "selfplay_seconds": 8.0, "learn_seconds": 4.0, "evaluations_per_second": 6000.0 + 100.0 * decay,
        "learn_positions_per_second": 1500.0, "learning_rate": 0.001, "cache_hit_rate": 0.2,
        "loss_total": 2.0 + 2.0 * decay, "loss_policy": 1.5 + 1.6 * decay, "loss_value": 0.5 + 0.5 * decay,
        "loss_steps_left": 0.2, "loss_score": 0.3, "policy_entropy": 1.4 + 1.7 * decay, "target_entropy": 1.5,
        "value_error": if iteration == 3 { None } else { Some(0.4 + 0.5 * decay) }, "search_entropy": 1.2,
        "root_value_error": 0.8, "gradient_norm": 1.0 + decay, "game_turns": 20.0 + 10.0 * decay, "game_steps": 44.0,
        "red_wins": 0.5, "draws": 0.3 * decay, "black_wins": 0.5 - 0.3 * decay, "window": 900 * iteration,
        "games_total": 40 * iteration, "positions_total": 900 * iteration, "memory_mb": 300.0 + iteration as f64,
    })
    .to_string()
        + "\n"
}

/// A run of `iterations` with two games each in its first and last; returns its last games file.
pub(crate) fn write_run(directory: &Path, iterations: u64) -> String {
    let _ = fs::remove_dir_all(directory.join("games"));
    fs::create_dir_all(directory.join("games")).unwrap();
    let mut name = String::new();
    fs::write(directory.join("config.toml"), "variant = \"eternal-mini\"\nseed = 7\n").unwrap();
    fs::write(directory.join("metrics.jsonl"), (1..=iterations).map(metrics_line).collect::<String>()).unwrap();
    let net = directory.join(format!("nets/{iterations:06}"));
    fs::create_dir_all(&net).unwrap();
    fs::write(net.join("meta.json"), "{\"step\": 1234}").unwrap();
    for (index, iteration) in [1, iterations].into_iter().enumerate() {
        let mut rng = Seeds::new(7).stream(Purpose::Test, iteration);
        let number = 2 * index as u64;
        let rows = [random_game(number, &mut rng), random_game(number + 1, &mut rng)].concat();
        name = write_games(directory, iteration, &rows);
    }
    name
}

fn error_of(directory: &Path) -> String {
    let error = html(directory).unwrap_err().to_string();
    assert!(error.starts_with(&directory.display().to_string()), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    error[directory.display().to_string().len()..].to_owned()
}

#[test]
fn a_report_shows_curves_numbers_games_and_configuration() {
    let directory = tempfile::tempdir().unwrap();
    write_run(directory.path(), 12);
    let page = html(directory.path()).unwrap();
    for text in [
        "12 iterations of eternal-mini in 2 min 24 s: 480 games of self-play",
        "Policy loss",
        "Results of self-play",
        "Iteration 12, game number 2",
        "Iteration 1, game number",
        "newest net",
        "1\u{202f}234 learning steps",
        "seed = 7",
        "expects +0.00",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let charts = page.matches("class=\"chart\"").count();
    assert!(charts >= 12);
    assert_eq!(page.matches(">iteration</text>").count(), charts);
    assert!(page.contains("Share of the evaluations that were known already"));
}

#[test]
fn a_run_without_a_cache_has_no_chart_of_it() {
    let directory = tempfile::tempdir().unwrap();
    write_run(directory.path(), 2);
    let without = metrics_line(1).replace("\"cache_hit_rate\":0.2", "\"cache_hit_rate\":0.0");
    assert_ne!(without, metrics_line(1));
    fs::write(directory.path().join("metrics.jsonl"), without).unwrap();
    let page = html(directory.path()).unwrap();
    assert!(!page.contains("known already") && page.contains("Of the process, in megabytes"));
}

#[test]
fn the_strength_after_learning_stands_on_top() {
    let directory = tempfile::tempdir().unwrap();
    write_run(directory.path(), 2);
    let path = directory.path().join("after.json");
    let result = serde_json::json!([{
        "opponent": "rollout:200", "games": 60, "wins": 50, "draws": 1, "losses": 9,
        "score": 0.842, "low": 0.76, "high": 0.92, "simulations": 16, "iteration": 2,
    }]);
    fs::write(&path, result.to_string()).unwrap();
    let page = html(directory.path()).unwrap();
    for text in
        ["<b>84 %</b>against rollout:200", "95 % interval 76 to 92 %; 60 games at 16 simulations, net of iteration 2"]
    {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.find("against rollout:200") < page.find("policy loss"));
    fs::write(&path, "[{}]").unwrap();
    assert!(error_of(directory.path()).starts_with("/after.json: missing field"));
}

#[test]
fn ratings_are_drawn_with_their_intervals() {
    let directory = tempfile::tempdir().unwrap();
    write_run(directory.path(), 4);
    assert!(!html(directory.path()).unwrap().contains("Elo on the ladder"));
    let rating = |iteration: u64, elo: f64| {
        let rungs =
            serde_json::json!([{ "agent": "rollout:100", "elo": 400.0, "as_red": [9, 0, 1], "as_black": [7, 1, 2] }]);
        serde_json::json!({
            "iteration": iteration, "seconds": 60.0 * iteration as f64, "evaluations": 1000 * iteration,
            "elo": elo, "low": elo - 40.0, "high": elo + 40.0, "is_bounded_by_prior": false,
            "games": 20, "simulations": 64, "rungs": rungs,
        })
    };
    let path = directory.path().join("ratings.jsonl");
    fs::write(&path, format!("{}\n{}\n", rating(2, 350.0), rating(4, 712.0))).unwrap();
    let page = html(directory.path()).unwrap();
    for text in [
        "<b>+712</b>Elo on the ladder",
        "95 % interval +672 to +752; 20 games at 64 simulations, net of iteration 4: rollout:100 16-1-3",
        "Rating by iteration",
        "minutes of work",
        "network evaluations in self-play",
    ] {
        assert!(page.contains(text), "{text}");
    }
    assert_eq!(page.matches("class=\"interval c0\"").count(), 6);
    fs::write(&path, format!("{}\n{{}}\n", rating(2, 350.0))).unwrap();
    assert!(error_of(directory.path()).starts_with("/ratings.jsonl: line 2: missing field"));
}

#[test]
fn a_report_needs_nothing_but_itself() {
    let directory = tempfile::tempdir().unwrap();
    write_run(directory.path(), 2);
    let page = html(directory.path()).unwrap();
    for text in ["<script", "<link", "<img", "http://", "https://", "url(", "@import", "NaN"] {
        assert!(!page.contains(text), "{text}");
    }
}

#[test]
fn missing_and_null_numbers_do_not_break_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::write(path.join("config.toml"), "variant = \"eternal-mini\"\n").unwrap();
    assert!(html(path).unwrap().contains("No iteration is finished yet"));
    for line in ["{}", "{\"iteration\":1}", "{\"iteration\":1,\"loss_policy\":null,\"draws\":null,\"seconds\":1}"] {
        fs::write(path.join("metrics.jsonl"), format!("{line}\n")).unwrap();
        assert!(html(path).unwrap().contains("One iteration of eternal-mini"), "{line}");
    }
    // One key at a time, and a torn line at the end.
    let whole: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&metrics_line(1)).unwrap();
    for key in whole.keys() {
        let mut without = whole.clone();
        without.remove(key);
        fs::write(path.join("metrics.jsonl"), format!("{}\n{{\"iter", serde_json::json!(without))).unwrap();
        html(path).unwrap();
    }
}

#[test]
fn texts_of_the_run_are_escaped() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("<script>alert(1)<");
    write_run(&directory, 2);
    fs::write(directory.join("config.toml"), "variant = \"eternal-mini\" # </pre><script>'\"&\n").unwrap();
    let mut rows = random_game(0, &mut Seeds::new(1).stream(Purpose::Test, 0));
    rows.iter_mut().for_each(|row| row.6 = "<script>".to_owned());
    write_games(&directory, 9, &rows);
    let page = html(&directory).unwrap();
    assert!(!page.contains("<script"));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;"));
    assert!(page.contains("(&lt;script&gt;)"));
}

#[test]
fn errors_name_the_file_and_what_is_wrong() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path();
    assert_eq!(error_of(&path.join("nowhere")), ": no such run: it is not a directory");
    assert!(error_of(path).starts_with("/config.toml: "));
    fs::write(path.join("config.toml"), "variant = 7\n").unwrap();
    assert_eq!(error_of(path), "/config.toml: key `variant`: `7` is no text");
    fs::write(path.join("config.toml"), "variant = \"chess\"\n").unwrap();
    assert!(error_of(path).starts_with("/config.toml, key `variant`: unknown variant `chess`"));
    fs::write(path.join("config.toml"), "variant =\n").unwrap();
    assert!(error_of(path).starts_with("/config.toml: "));
    write_run(path, 2);
    fs::write(path.join("nets/000002/meta.json"), "[").unwrap();
    assert!(error_of(path).starts_with("/nets/000002/meta.json: "));
    write_run(path, 2);
    fs::write(path.join("metrics.jsonl"), "{}\n{\n{}\n").unwrap();
    assert!(error_of(path).starts_with("/metrics.jsonl:2: "));
    let name = write_run(path, 2);
    let games = path.join(&name);
    let bytes = fs::read(&games).unwrap();
    fs::write(&games, &bytes[..bytes.len() / 2]).unwrap();
    assert!(error_of(path).starts_with(&format!("/{name}: altered: its contents have the checksum ")));
    let noise = b"no Parquet";
    let nonsense = format!("games/000003-00-{}.parquet", super::games::checksum(noise));
    fs::write(path.join(&nonsense), noise).unwrap();
    assert!(error_of(path).starts_with(&format!("/{nonsense}: not a readable games file: ")));
    fs::remove_file(path.join(&nonsense)).unwrap();
    fs::rename(&games, path.join("games/newest.parquet")).unwrap();
    assert!(error_of(path).starts_with("/games/newest.parquet: the name of a games file"));
}

#[test]
fn a_game_that_breaks_the_rules_is_named_by_its_row() {
    let directory = tempfile::tempdir().unwrap();
    write_run(directory.path(), 2);
    let mut rows = random_game(0, &mut Seeds::new(1).stream(Purpose::Test, 0));
    rows[1].2 = u16::MAX;
    let name = write_games(directory.path(), 9, &rows);
    let error = error_of(directory.path());
    assert!(error.starts_with(&format!("/{name}, row 1: action 65535 is not legal in `")), "{error}");
    rows[0].1 = "nonsense".to_owned();
    fs::remove_file(directory.path().join(&name)).unwrap();
    let name = write_games(directory.path(), 9, &rows);
    assert!(error_of(directory.path()).starts_with(&format!("/{name}, row 0: position text, field")));
}

#[test]
fn a_report_is_written_whole_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    write_run(path, 2);
    let args = |out: Option<&str>| ReportArgs { run: path.to_owned(), out: out.map(|name| path.join(name)) };
    let mut output = Vec::new();
    run(&args(None), &mut output).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), format!("wrote {}\n", path.join("report.html").display()));
    let page = fs::read_to_string(path.join("report.html")).unwrap();
    assert_eq!(page, html(path).unwrap());
    let error = run(&args(Some("missing/report.html")), &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("missing/report.html"), "{error}");
    assert!(fs::read_dir(path).unwrap().all(|entry| !entry.unwrap().path().to_string_lossy().contains("partial")));
}
