//! The command line's own promises: exit status, help, and one line for an error. What the commands do is tested with
//! the other binaries in the crate `heng-tests`.

use std::process::{Command, Output};

fn eval(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_eval")).args(arguments).output().expect("eval runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn wrong_usage_has_status_2() {
    for arguments in [
        &[][..],
        &["mach"],
        &["match", "random"],
        &["match", "random", "rndom"],
        &["tournament", "random"],
        &["tournament", "random", "random", "--every", "2"],
        &["tournament", "random", "random", "--tc", "1", "--movetime", "5"],
        &["suite"],
        &["match", "random", "random", "--games", "0"],
        &["match", "random", "random", "--threads", "0"],
        &["match", "random", "random", "--device", "tpu"],
        &["play", "eternal-mini", "--device", "cuda:first"],
        &["match", "random", "random", "--openings", "random:many"],
        &["perft", "eternal-giant", "1"],
        &["perft", "eternal-mini", "-1"],
    ] {
        let output = eval(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    let error = stderr(&eval(&["match", "random", "rndom"]));
    assert!(error.contains("invalid value 'rndom' for '<B>': unknown agent, expected one of random"), "{error}");
}

#[test]
fn a_failure_has_status_1_and_one_line() {
    for (arguments, text) in [
        (
            &["match", "random", "random"][..],
            "neither player is a net, which would know its variant: expected --variant V",
        ),
        (&["match", "no/such/run", "random"], "agent `no/such/run`: no/such/run: "),
        (&["match", "random", "net:no/net"], "agent `net:no/net`: no/net/meta.json: "),
        (&["perft", "eternal-mini", "1", "--fen", "8/8 r"], "position text, field `"),
        (&["match", "random", "random", "--variant", "eternal-mini", "--openings", "no-such-file"], "no-such-file: "),
    ] {
        let output = eval(arguments);
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.starts_with("error: ") && error.contains(text), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(output.stdout.is_empty());
    }
}

#[cfg(not(any(feature = "cuda", feature = "wgpu")))]
#[test]
fn a_device_that_is_not_built_is_a_failure() {
    for (device, feature) in [("wgpu", "wgpu"), ("cuda:1", "cuda")] {
        for arguments in [&["match", "random", "random"][..], &["play", "eternal-mini"], &["bench"]] {
            let output = eval(&[arguments, &["--device", device]].concat());
            let error = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
            assert_eq!(error, format!("error: device `{device}` needs a build with `--features {feature}`\n"));
        }
    }
}

#[test]
fn help_and_version_are_no_failure() {
    for arguments in [&["--help"][..], &["--version"], &["help", "match"], &["perft", "--help"]] {
        assert_eq!(eval(arguments).status.code(), Some(0), "{arguments:?}");
    }
    for command in [&["--help"][..], &["match", "--help"], &["play", "--help"]] {
        let help = String::from_utf8(eval(command).stdout).expect("help is text");
        assert!(help.contains("runs/NAME@N ") && help.contains("with 64 simulations"), "{help}");
        assert_eq!(help.contains("random:K  "), command[0] == "match", "{help}");
    }
}
