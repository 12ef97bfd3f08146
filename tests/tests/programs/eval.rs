//! The `eval` binary as a user runs it: the line protocol over the test vectors, and matches.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub(crate) fn eval(arguments: &[&str]) -> Output {
    Command::new(crate::binary("eval")).args(arguments).output().expect("eval runs")
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("the output is text")
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("errors are text")
}

/// The answers of `eval rules` to `input`.
fn rules(input: &[u8]) -> Vec<String> {
    let mut child = Command::new(crate::binary("eval"))
        .arg("rules")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("eval runs");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("eval ends");
    writer.join().expect("the writer ends").expect("eval reads to the end");
    assert!(output.status.success());
    stdout(&output).lines().map(str::to_owned).collect()
}

/// The rows of a file of vectors that are of a variant this program plays.
fn vectors(file: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<String>>());
    rows.filter(|row| heng_env::Variant::names().contains(&row[0].as_str())).collect()
}

/// Asks one question for each row and compares the answers with the row's last column.
fn check(file: &str, question: impl Fn(&[String]) -> String) {
    let rows = vectors(file);
    assert!(!rows.is_empty(), "{file}");
    let questions: Vec<String> = rows.iter().map(|row| question(row)).collect();
    let answers = rules((questions.join("\n") + "\n").as_bytes());
    assert_eq!(answers.len(), rows.len(), "{file}: one answer for each question");
    for ((row, question), answer) in rows.iter().zip(&questions).zip(&answers) {
        assert_eq!(answer, &row[row.len() - 1], "{file}: {question}");
    }
}

#[test]
fn the_protocol_answers_every_vector() {
    check("legal.tsv", |row| format!("legal {} {}", row[0], row[1]));
    check("apply.tsv", |row| format!("apply {} {} | {}", row[0], row[1], row[2]));
    check("result.tsv", |row| format!("result {} {}", row[0], row[1]));
    check("turns.tsv", |row| format!("turns {} {}", row[0], row[1]));
}

#[test]
fn the_protocol_counts_perft_to_depth_2() {
    for row in vectors("perft.tsv") {
        let counts: Vec<&str> = row[2].split(' ').collect();
        let depth = counts.len().min(2);
        let answers = rules(format!("perft {} {} {depth}\n", row[0], row[1]).as_bytes());
        assert_eq!(answers, [counts[depth - 1]], "{row:?}");
    }
}

#[test]
fn a_game_of_steps_ends_by_the_law_on_repetition() {
    for row in vectors("repetition.tsv") {
        let [variant, position, moves, verdict] = row.as_slice() else { panic!("{row:?}") };
        let answers = rules(format!("game {variant} {position} | {moves} {moves}\n").as_bytes());
        let [result, reason, played, ..] = answers[0].split(' ').collect::<Vec<_>>()[..] else { panic!("{answers:?}") };
        assert_eq!((result, played), (verdict.as_str(), moves.split(' ').count().to_string().as_str()), "{row:?}");
        let is_perpetual = ["perpetual-check", "perpetual-chase"].contains(&reason);
        assert_eq!((is_perpetual, reason == "repetition"), (verdict != "draw", verdict == "draw"), "{row:?}: {reason}");
    }
}

#[test]
fn a_written_turn_is_its_steps() {
    let fen = "M1m4r/4p1n1/r1bb2c1/5p2/*1*cm*n*/4CPP1/5C1N/1BR5/BN2M2R b - 0-0 28";
    for row in vectors("turns.tsv").iter().filter(|row| row[2].contains(' ')).take(6) {
        let turn = row[2].split(' ').next_back().expect("there is a turn");
        let answers = rules(format!("turn {0} {1} | {turn}\nturn {0} {1} | {turn}?\n", row[0], row[1]).as_bytes());
        assert!(answers[0].contains('/') && answers[1].starts_with("error: "), "{answers:?}");
    }
    let game = rules(format!("legal eternal-fixed {fen}\n").as_bytes());
    let step = game[0].split(' ').next().expect("there is a step").to_owned();
    let input = format!("apply eternal-fixed {fen} | {step}\ngame eternal-fixed {fen} | {step}\n");
    let answers = rules(input.as_bytes());
    assert_eq!(answers[1], format!("ongoing - 1 | {}", answers[0]));
}

#[test]
fn a_game_ends_at_its_limit_and_leaves_later_steps_out() {
    let start = &rules(b"start eternal-mini\n")[0];
    let variant = "eternal-mini:turn_limit=2";
    let mut steps = Vec::new();
    let mut fen = start.clone();
    for _ in 0..2 {
        let legal = rules(format!("legal eternal-mini {fen}\n").as_bytes());
        let quiet = legal[0].split(' ').find_map(|step| {
            let next = rules(format!("apply eternal-mini {fen} | {step}\n").as_bytes()).remove(0);
            next.contains(" - 0-0 ").then(|| (step.to_owned(), next))
        });
        let (step, next) = quiet.expect("there is a step without a capture");
        steps.push(step);
        fen = next;
    }
    let line = format!("game {variant} {start} | {} a1a2 nonsense\n", steps.join(" "));
    assert_eq!(rules(line.as_bytes()), [format!("draw limit 2 | {fen}")]);
    let line = format!("game {variant} {start} | {} zz\n", steps[0]);
    assert!(rules(line.as_bytes())[0].starts_with("error: step 2: "));
}

#[test]
fn bad_lines_do_not_stop_the_protocol() {
    let mut input = b"\r\n\n\xff\xfe\nlegal\nfly eternal-mini\nperft eternal-mini x y\nlegal eternal-mini ".to_vec();
    input.extend_from_slice(&[b'9'; 1 << 20]);
    input.extend_from_slice(b"\nstart eternal-free\r\nstart");
    let answers = rules(&input);
    assert_eq!(answers.len(), 9, "{answers:?}");
    assert_eq!(answers[7], "8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-0 p1");
    answers.iter().enumerate().filter(|&(line, _)| line != 7).for_each(|(line, answer)| {
        assert!(answer.starts_with("error: "), "line {line}: {answer}");
        assert!(answer.len() < 2000);
    });
}

#[test]
fn perft_prints_the_count_and_the_division_adds_up() {
    let output = eval(&["perft", "eternal-fixed", "2", "--divide"]);
    assert!(output.status.success());
    let lines: Vec<&str> = stdout(&output).lines().collect();
    let (last, divided) = lines[1..].split_last().expect("there are lines");
    assert!(last.starts_with("depth 2: 1306 nodes in "), "{last}");
    assert_eq!(divided.len(), 38);
    let sum: u64 = divided.iter().map(|line| line.split(' ').next_back().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sum, 1306);
    assert!(divided.is_sorted());
}

#[test]
fn a_match_is_the_same_with_one_and_two_threads() {
    let play = |threads: &str| {
        let agents = ["match", "rollout:8", "random", "--variant", "eternal-mini", "--games", "10"];
        let output = eval(&[&agents[..], &["--seed", "3", "--json", "--threads", threads]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(output.stderr.is_empty());
        stdout(&output).to_owned()
    };
    let one = play("1");
    assert_eq!(one, play("2"));
    let report: serde_json::Value = serde_json::from_str(&one).expect("the output is JSON");
    assert_eq!((&report["games"], &report["seed"]), (&10.into(), &3.into()));
    assert_eq!(report["players"], serde_json::json!(["rollout:8", "random"]));
    let count = |key: &str| report[key].as_u64().expect("a count");
    assert_eq!(count("wins") + count("draws") + count("losses"), 10);
    assert!(report["elo_95"]["low"].as_f64().is_some() && report["elo_95"]["high"].as_f64().is_some());
}

#[test]
fn a_clean_sweep_has_no_elo_difference_and_one_bound() {
    for (agents, open, closed) in
        [(["alphabeta:3", "random"], "high", "low"), (["random", "alphabeta:3"], "low", "high")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().to_str().expect("a path");
        let options = ["--variant", "eternal-mini", "--games", "4", "--json", "--out", out];
        let output = eval(&[&["match"][..], &agents, &options].concat());
        let saved = fs::read_to_string(folder.path().join("match.json")).expect("there is a report");
        assert_eq!(stdout(&output), saved);
        let report: serde_json::Value = serde_json::from_str(&saved).expect("the report is JSON");
        assert!(report["score"] == 1.0 || report["score"] == 0.0, "{saved}");
        assert!(report["elo"].is_null() && report["elo_95"][open].is_null(), "{saved}");
        assert!(report["elo_95"][closed].is_f64(), "{saved}");
    }
}

#[test]
fn a_session_of_play_can_be_repeated_with_the_seed_it_told() {
    let play = |seed: &[&str]| {
        let arguments = ["play", "eternal-mini", "--agent", "random", "--side", "black"];
        let output = eval(&[&arguments[..], seed].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).to_owned()
    };
    let session = play(&[]);
    let first = session.lines().next().expect("there is an opening line");
    let seed = first.strip_prefix("eternal-mini: you are black, against random, seed ").expect("it tells the seed");
    assert_eq!(play(&["--seed", seed]), session);
}

#[test]
fn the_saved_games_can_be_read_by_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("a match");
    let arguments = ["match", "random", "random", "--variant", "eternal-fixed", "--games", "4", "--out"];
    let output = eval(&[&arguments[..], &[out.to_str().expect("a path")]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let report = fs::read_to_string(out.join("match.json")).expect("there is a report");
    let report: serde_json::Value = serde_json::from_str(&report).expect("the report is JSON");
    assert_eq!(report["distinct_openings"], 2);
    assert_eq!(fs::read_dir(&out).expect("a folder").count(), 2);

    let games = fs::read_to_string(out.join("games.pgn")).expect("there are games");
    let games: Vec<&str> = games.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 4);
    for game in games {
        let tag = |name: &str| {
            let line =
                game.lines().find_map(|line| line.strip_prefix(&format!("[{name} \""))).expect("the tag is there");
            line.strip_suffix("\"]").expect("a tag ends").to_owned()
        };
        let turns: Vec<&str> = game
            .lines()
            .skip_while(|line| !line.is_empty())
            .flat_map(|line| line.split_whitespace().filter(|word| word.starts_with(|c: char| c.is_alphabetic())))
            .collect();
        let mut fen = tag("FEN");
        for turn in turns {
            fen = rules(format!("turn eternal-fixed {fen} | {turn}\n").as_bytes()).remove(0);
        }
        assert_eq!(fen, tag("End"));
    }

    let again = eval(&[&arguments[..], &[out.to_str().expect("a path")]].concat());
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("match.json: holds a match already"), "{}", stderr(&again));
}

#[test]
fn openings_come_from_a_file_in_its_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("openings.txt");
    let start = rules(b"start eternal-fixed\n").remove(0);
    let turn = rules(format!("turns eternal-fixed {start}\n").as_bytes())[0].split(' ').next().unwrap().to_owned();
    let play = |text: &str| {
        fs::write(&file, text).expect("the file is written");
        let arguments = ["match", "random", "random", "--variant", "eternal-fixed", "--games", "4", "--json"];
        eval(&[&arguments[..], &["--openings", file.to_str().expect("a path")]].concat())
    };
    let output = play(&format!("# two openings\n{turn}\n\n{start}\r\n"));
    assert!(output.status.success(), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_str(stdout(&output)).expect("the output is JSON");
    assert_eq!(report["distinct_openings"], 2);
    for (text, problem) in [
        ("", "no opening in it"),
        ("a1a9z\n", "line 1: turn 1: "),
        (&format!("{turn}\n8/8 r\n"), "line 2: position text, field `"),
    ] {
        let output = play(text);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(problem), "{}", stderr(&output));
    }
}

#[test]
fn a_closed_output_ends_quietly() {
    let mut child = Command::new(crate::binary("eval"))
        .args(["perft", "eternal-free", "2", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("eval runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("eval ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_of_a_stream_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let no_input = Stdio::from(fs::File::open(folder.path()).expect("a folder can be opened"));
    let output = Command::new(crate::binary("eval")).arg("rules").stdin(no_input).output().expect("eval runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: cannot read standard input: "), "{}", stderr(&output));

    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has this device");
    let arguments = ["perft", "eternal-mini", "1"];
    let output = Command::new(crate::binary("eval")).args(arguments).stdout(full).output().expect("eval runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: cannot write to standard output: "), "{}", stderr(&output));
}

#[test]
fn a_match_that_cannot_begin_makes_no_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("match");
    let out_argument = out.to_str().expect("a path");
    for agent in ["no/such/run", "net:no/net"] {
        let output = eval(&["match", agent, "random", "--variant", "eternal-mini", "--out", out_argument]);
        assert_eq!(output.status.code(), Some(1));
        assert!(!out.exists());
    }
    for threads in ["0", "1025", "18446744073709551615"] {
        let output = eval(&["match", "random", "random", "--variant", "eternal-mini", "--threads", threads]);
        assert_eq!(output.status.code(), Some(2), "{threads}");
    }
    let arguments = ["match", "random", "random", "--variant", "eternal-mini", "--games", "4", "--threads", "1024"];
    assert!(eval(&arguments).status.success());
}

#[test]
fn an_analysis_is_one_object_or_one_line_of_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("game.pgn");
    fs::write(&game, "1. h2e2 h9g7 2. h2e2 *\n").expect("a file");
    let (game, out) = (game.to_str().expect("a path"), folder.path().join("page.html"));
    let out_argument = out.to_str().expect("a path");
    let position = eval(&["analyze", "eternal-mini", "--agent", "rollout:20", "--json"]);
    assert!(position.status.success() && stderr(&position).is_empty(), "{}", stderr(&position));
    let object: serde_json::Value = serde_json::from_str(stdout(&position)).expect("JSON");
    assert_eq!((&object["side"], &object["value"]["side"]), (&"red".into(), &"red".into()));

    let broken = eval(&["analyze", "--game", game, "--agent", "alphabeta:1", "--json", "--out", out_argument]);
    assert_eq!(broken.status.code(), Some(1));
    let object: serde_json::Value = serde_json::from_str(stdout(&broken)).expect("JSON");
    assert_eq!(object["turns"].as_array().map(Vec::len), Some(2), "what was read is analysed");
    assert!(stderr(&broken).starts_with(&format!("error: {game}, line 1, game 1: round 2, red: ")));
    assert_eq!(stderr(&broken).lines().count(), 1);
    assert!(fs::read_to_string(&out).expect("a page").contains("read up to an error"));
    for wrong in [&["analyze"][..], &["analyze", "xiangqi", "--game", game], &["analyze", "--game", game, "--out", "x"]]
    {
        assert_eq!(eval(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
