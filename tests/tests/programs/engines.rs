//! Matches against engines that others wrote, and a client that others wrote. What is not installed is left out, and said.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Where a program is, if it is installed. Debian puts games into a folder of their own.
pub(crate) fn installed(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let found = folders.map(|folder| folder.join(program)).find(|path| path.is_file());
    if found.is_none() {
        eprintln!("{program} is not installed: what needs it is left out");
    }
    found
}

fn play(first: &str, second: &str, games: usize) -> Value {
    let output = Command::new(crate::binary("eval"))
        .args(["match", first, second, "--variant", "xiangqi", "--games", &games.to_string(), "--json"])
        .output()
        .expect("eval runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{first} against {second}: {errors}");
    serde_json::from_slice(&output.stdout).expect("the report is JSON")
}

/// Plays a match in which nobody may give up, crash or play what is illegal.
fn play_fairly(first: &str, second: &str) {
    const GAMES: usize = 20;
    let report = play(first, second, GAMES);
    assert_eq!(report["games"], GAMES, "{first} against {second}");
    for forfeit in report["forfeits"].as_array().expect("a list") {
        // An engine may give up a lost game.
        assert_eq!(forfeit["cause"], "resignation", "{first} against {second}: {forfeit}");
    }
}

fn eval_as_engine(protocol: &str, agent: &str) -> String {
    format!("{protocol}:'{}' {protocol} --agent {agent}?depth=1", crate::binary("eval").display())
}

#[test]
fn twenty_games_against_fairy_stockfish_in_uci_have_no_fault() {
    if installed("fairy-stockfish").is_some() {
        play_fairly("alphabeta:1", "uci:fairy-stockfish?nodes=50&option.Skill Level=-10");
        play_fairly(&eval_as_engine("uci", "alphabeta:1"), "uci:fairy-stockfish?nodes=50");
    }
}

#[test]
fn twenty_games_against_fairy_stockfish_in_ucci_have_no_fault() {
    if installed("fairy-stockfish").is_some() {
        play_fairly("alphabeta:1", "ucci:fairy-stockfish?nodes=50");
        play_fairly(&eval_as_engine("ucci", "alphabeta:1"), "ucci:fairy-stockfish?nodes=50");
    }
}

#[test]
fn twenty_games_against_hoixiangqi_have_no_fault() {
    if installed("hoixiangqi").is_some() {
        play_fairly("alphabeta:1", "xboard:hoixiangqi?depth=1");
    }
}

#[test]
fn engines_of_all_protocols_play_each_other() {
    if installed("fairy-stockfish").is_some() && installed("hoixiangqi").is_some() {
        play_fairly("uci:fairy-stockfish?nodes=50", "xboard:hoixiangqi?depth=1");
    }
}

#[test]
fn an_engine_that_breaks_down_loses_and_is_started_again() {
    // It greets and then leaves as soon as it is asked to play.
    let engine = "uci:sh -c 'while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) exit 3;; esac; done'";
    let report = play("random", engine, 4);
    assert_eq!((&report["games"], &report["wins"]), (&Value::from(4), &Value::from(4)));
    let forfeits = report["forfeits"].as_array().expect("a list");
    assert_eq!(forfeits.len(), 4);
    for forfeit in forfeits {
        assert_eq!((&forfeit["player"], &forfeit["cause"]), (&Value::from(1), &Value::from("crash")), "{forfeit}");
    }
    let cheat = engine.replace("exit 3", "echo bestmove a1a9");
    let report = play("random", &cheat, 2);
    assert_eq!(report["reasons"]["illegal-move"], 2, "{report}");
}

#[test]
fn an_engine_that_cannot_play_is_named_before_the_match() {
    for (engine, problem) in [
        ("uci:no-such-program", "no program `no-such-program`"),
        ("uci:true", "does not get ready as an engine of uci"),
    ] {
        let output = Command::new(crate::binary("eval"))
            .args(["match", "random", engine, "--variant", "xiangqi", "--games", "2"])
            .output()
            .expect("eval runs");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.starts_with(&format!("error: agent `{engine}`: ")) && errors.contains(problem), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}

/// A process that is ended with the test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What the README says a user types to play against us in XBoard, with `PROGRAM` for `eval`.
const XBOARD: &str = r#"xboard -variant xiangqi -fcp "uci2wb 'PROGRAM uci --cyclone --agent alphabeta:4'""#;

/// How long to wait for a game in XBoard: half a minute where nothing else runs.
const GAME_LIMIT: Duration = Duration::from_secs(300);

#[test]
fn xboard_plays_a_whole_game_with_us_as_the_engine_of_both_sides() {
    if ["xboard", "uci2wb", "Xvfb"].iter().any(|program| installed(program).is_none()) {
        return;
    }
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).expect("a README");
    assert!(readme.contains(&XBOARD.replace("PROGRAM", "target/release/eval")), "the README shows how");
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("game.pgn");
    let (screen, _server) = virtual_screen();
    let engine = |agent: &str| format!("uci2wb '{} uci --cyclone --agent {agent}'", crate::binary("eval").display());
    let path = std::env::var("PATH").unwrap_or_default();
    let client = Command::new(installed("xboard").expect("it is there"))
        .args(["-variant", "xiangqi", "-fcp", &engine("alphabeta:1"), "-scp", &engine("alphabeta:2")])
        .args(["-matchGames", "1", "-searchDepth", "1", "-tc", "1", "-autoCallFlag", "true", "-saveGameFile"])
        .arg(&game)
        .env("PATH", format!("{path}:/usr/games"))
        .env("DISPLAY", screen)
        .env("HOME", folder.path())
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let _client = Killed(client.expect("XBoard runs"));
    let text = wait_for_result(&game);
    assert!(text.contains("[Variant \"xiangqi\"]"), "{text}");
    assert!(!text.contains("llegal") && !text.contains("forfeit"), "{text}");
    let rounds = text.matches(". ").count();
    assert!(rounds >= 5, "{text}");
}

/// A screen that nobody sees, and its server.
fn virtual_screen() -> (String, Killed) {
    // Other tests of other users may have some of them.
    for number in 90..190 {
        if Path::new(&format!("/tmp/.X{number}-lock")).exists() {
            continue;
        }
        let screen = format!(":{number}");
        let server = Command::new(installed("Xvfb").expect("it is there"))
            .args([&screen, "-screen", "0", "1024x768x24"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut server = Killed(server.expect("Xvfb runs"));
        let socket = format!("/tmp/.X11-unix/X{number}");
        for _ in 0..100 {
            if Path::new(&socket).exists() {
                return (screen, server);
            }
            if server.0.try_wait().expect("a child").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    panic!("no screen is free");
}

fn wait_for_result(game: &Path) -> String {
    let begun = std::time::Instant::now();
    while begun.elapsed() < GAME_LIMIT {
        let text = std::fs::read_to_string(game).unwrap_or_default();
        if ["1-0", "0-1", "1/2-1/2"].iter().any(|result| text.trim_end().ends_with(result)) {
            return text;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("no game after {GAME_LIMIT:?}: {}", std::fs::read_to_string(game).unwrap_or_default());
}
