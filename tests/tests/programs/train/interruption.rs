//! Runs that are stopped, killed, or run out of disk.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::support::{contents, fail, inspect, output, succeed, text, tiny_config, train};

/// Starts `train` and takes it away after a while, in whatever it is doing.
fn killed_after(arguments: &[&str], milliseconds: u64) {
    let mut child = start(arguments);
    std::thread::sleep(Duration::from_millis(milliseconds));
    child.kill().expect("a child can be killed");
    child.wait().expect("a child ends");
}

fn start(arguments: &[&str]) -> Child {
    train(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary starts")
}

#[test]
fn a_kill_at_any_moment_loses_at_most_the_games_in_flight() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_config(folder.path());
    let run = folder.path().join("run");
    let (mut positions, mut iterations) = (0, 0);
    for (kill, milliseconds) in [40, 15, 90, 130, 55, 210, 30, 170, 320].into_iter().enumerate() {
        if run.join("config.toml").exists() {
            killed_after(&["resume", text(&run), "--iterations", "1000"], milliseconds);
        } else {
            // A kill before anything was there: a new run may take the folder once it is empty.
            let _ = std::fs::remove_dir_all(&run);
            killed_after(&["run", text(&config), "--out", text(&run), "--iterations", "1000"], milliseconds);
        }
        if !run.join("state/state.json").exists() {
            continue;
        }
        let inspection = inspect(&run);
        let found = |key: &str| inspection[key].as_u64().unwrap();
        assert!(found("positions") >= positions, "kill {kill} lost games: {inspection}");
        assert!(found("iterations") >= iterations, "kill {kill} lost iterations: {inspection}");
        (positions, iterations) = (found("positions"), found("iterations"));
    }
    let more = (iterations + 2).to_string();
    succeed(&["resume", text(&run), "--iterations", &more]);
    let inspection = inspect(&run);
    assert_eq!(inspection["iterations"].as_u64(), Some(iterations + 2));
    assert_eq!(inspection["uncommitted"].as_array().map(Vec::len), Some(0), "{inspection}");
    let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    assert_eq!(metrics.lines().count() as u64, iterations + 2);
}

#[test]
fn a_torn_line_and_unfinished_files_are_cleaned_up_on_resuming() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    succeed(&["run", text(&tiny_config(folder.path())), "--out", text(&run), "--iterations", "1"]);
    let lines = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let uncommitted = lines.replace("\"iteration\":1", "\"iteration\":2");
    std::fs::write(run.join("metrics.jsonl"), format!("{lines}{uncommitted}{{\"itera")).unwrap();
    std::fs::write(run.join("games/000002-00-0123456789abcdef.parquet"), "half a file").unwrap();
    std::fs::write(run.join("games/000002-01-0123456789abcdef.parquet.tmp"), "half a file").unwrap();
    std::fs::create_dir_all(run.join("nets/000002")).unwrap();
    std::fs::create_dir_all(run.join("state/000002")).unwrap();
    std::fs::create_dir_all(run.join("nets/.000002.partial")).unwrap();
    let of_somebody = ["notes.tmp", "games/x.tmp", "nets/best.old"].map(|name| run.join(name));
    for path in &of_somebody {
        std::fs::write(path, "not of this program").unwrap();
    }
    assert_eq!(inspect(&run)["uncommitted"].as_array().map(Vec::len), Some(5));
    succeed(&["resume", text(&run), "--iterations", "2"]);
    let inspection = inspect(&run);
    assert_eq!(inspection["iterations"], 2);
    assert_eq!(inspection["uncommitted"].as_array().map(Vec::len), Some(0));
    assert!(of_somebody.iter().all(|path| path.exists()));
    assert_eq!(std::fs::read_to_string(run.join("metrics.jsonl")).unwrap().lines().count(), 2);
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_with_everything_saved_and_status_0() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_config(folder.path());
    let run = folder.path().join("run");
    for signal in ["-INT", "-TERM"] {
        let nets = std::fs::read_dir(run.join("nets")).map_or(0, |nets| nets.count());
        let mut child = match run.join("config.toml").exists() {
            false => start(&["run", text(&config), "--out", text(&run), "--iterations", "100000"]),
            true => start(&["resume", text(&run)]),
        };
        // A net that was not there before: the program is at work, and listens.
        wait_for(&run.join(format!("nets/{:06}", nets.max(1))));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        let inspection = inspect(&run);
        assert_eq!(inspection["uncommitted"].as_array().map(Vec::len), Some(0), "{inspection}");
    }
}

fn wait_for(path: &Path) {
    for _ in 0..600 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{} never came", path.display());
}

#[test]
fn two_programs_never_work_on_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let config = tiny_config(folder.path());
    let mut child = start(&["run", text(&config), "--out", text(&run), "--iterations", "100000"]);
    wait_for(&run.join("nets/000001"));
    let error = fail(&["resume", text(&run)]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(error.ends_with(": another `train` is working on this run"), "{error}");
}

/// A limit on the size of files fails writes in the middle, as a full disk does.
#[cfg(unix)]
#[test]
fn a_full_disk_names_the_file_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    succeed(&["run", text(&tiny_config(folder.path())), "--out", text(&run), "--iterations", "1"]);
    let before = contents(&run, &["nets", "games", "state"]);
    let resume = train(&["resume", text(&run), "--iterations", "3"]);
    // `bash` counts in units of 1,024 bytes. Without the trap the signal would end the program.
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$@\"";
    let limited = Command::new("bash")
        .args(["-c", script, "limited"])
        .arg(resume.get_program())
        .args(resume.get_args())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(1), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("error: ") && error.contains(text(&run)), "{error}");
    let after = contents(&run, &["nets", "games", "state"]);
    for (name, contents) in &before {
        assert_eq!(after.get(name), Some(contents), "{name} is as it was");
    }
    succeed(&["resume", text(&run), "--iterations", "2"]);
    assert_eq!(inspect(&run)["iterations"], 2);
    assert!(output(&["inspect", text(&run)]).status.success());
}

#[test]
fn a_run_whose_loss_is_no_number_stops_saved_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    succeed(&["run", text(&tiny_config(folder.path())), "--out", text(&run), "--iterations", "1"]);
    let before = contents(&run, &["nets", "state"]);
    let resume = ["resume", text(&run), "--iterations", "3", "--set"];
    let error =
        fail(&[&resume[..], &["learn.value_weight=3.4e38", "--set", "learn.steps_left_weight=3.4e38"]].concat());
    let advice = format!(" resume {} --set schedule.learning_rate=1e-4", text(&run));
    assert!(error.contains("learning step") && error.ends_with(&advice), "{error}");
    // The self-play of the next iteration was saved before it learnt.
    let inspection = inspect(&run);
    assert_eq!((&inspection["iterations"], &inspection["uncommitted"]), (&1.into(), &serde_json::json!([])));
    let after = contents(&run, &["nets", "state"]);
    assert!(before.iter().all(|(name, bytes)| name.ends_with("state.json") || after.get(name) == Some(bytes)));
    succeed(&[&resume[..], &["learn.value_weight=1.0", "--set", "learn.steps_left_weight=0.1"]].concat());
    assert_eq!(inspect(&run)["iterations"], 3);
}
