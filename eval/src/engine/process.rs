//! A child process with lines in and out, whatever it does.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{env, thread};

use super::error::{EngineError, EngineFailure, shown};
use super::lines::for_each_line;

/// Lines that wait to be read. An engine that writes more is slowed by its pipe.
const LINES_WAITING: usize = 256;

/// Lines of the error output that are kept for messages.
const LAST_WORDS: usize = 5;

/// How long an engine may take to obey `quit`.
const GRACE: Duration = Duration::from_millis(200);

/// How often it is looked whether a silent engine still lives.
const LOOK: Duration = Duration::from_millis(100);

/// How often it is looked whether an engine that should end has ended.
const LOOK_AT_END: Duration = Duration::from_millis(2);

/// Where Debian puts engines, which is not in everyone's PATH.
const GAMES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// The engines that run now, by process id.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// What the writing thread is told.
enum Outgoing {
    Line(String),
    Close,
}

/// Writes lines to an engine, from any thread, without ever waiting for it.
#[derive(Clone)]
pub(super) struct LineWriter(Sender<Outgoing>);

impl LineWriter {
    /// Sends a line. To an engine that is gone, it makes no difference.
    pub(super) fn send(&self, line: impl Into<String>) {
        let _ = self.0.send(Outgoing::Line(line.into()));
    }
}

/// A running engine: a child process in a group of its own, so that Ctrl-C in the terminal is not for it. Dropping this
/// ends the process and whatever it has started in its group.
pub(super) struct EngineProcess {
    child: Child,
    ended: Option<ExitStatus>,
    lines: Receiver<String>,
    writer: LineWriter,
    last_words: Arc<Mutex<VecDeque<String>>>,
    error_reader: Option<JoinHandle<()>>,
}

impl EngineProcess {
    /// Runs the program of `words` with the arguments after it.
    pub(super) fn spawn(words: &[String]) -> Result<EngineProcess, EngineError> {
        let [program, arguments @ ..] = words else { return Err(EngineError::Command { command: String::new() }) };
        let path = find(program).ok_or_else(|| EngineError::NotFound { program: program.clone() })?;
        let mut command = Command::new(path);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let spawn_error = |problem: String| EngineError::Spawn { program: program.clone(), problem };
        let mut child = command.spawn().map_err(|error| spawn_error(error.to_string()))?;
        running().insert(child.id());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (line_sender, lines) = sync_channel(LINES_WAITING);
        let (outgoing, to_write) = channel();
        let last_words = Arc::default();
        let writer = LineWriter(outgoing);
        let mut process = EngineProcess { child, ended: None, lines, writer, last_words, error_reader: None };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(spawn_error("it has no pipes".to_owned()));
        };
        let words = Arc::clone(&process.last_words);
        let to_error = |error: io::Error| spawn_error(error.to_string());
        in_thread("engine-input", move || write_lines(stdin, &to_write)).map_err(to_error)?;
        in_thread("engine-output", move || read_lines(stdout, &line_sender)).map_err(to_error)?;
        let error_reader = in_thread("engine-errors", move || keep_last_words(stderr, &words)).map_err(to_error)?;
        process.error_reader = Some(error_reader);
        Ok(process)
    }

    /// What writes to the engine.
    pub(super) fn writer(&self) -> &LineWriter {
        &self.writer
    }

    /// The next line, or `None` if there is none until `deadline`.
    ///
    /// # Errors
    /// If the engine is gone or has closed its output.
    pub(super) fn line_until(&mut self, deadline: Instant) -> Result<Option<String>, EngineFailure> {
        loop {
            // Even if there is a line: an engine that never stops writing would never be late.
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                // A child of the engine may keep the pipe open after the engine itself is gone.
                Err(RecvTimeoutError::Timeout) if self.has_ended() => {
                    return self.lines.try_recv().map(Some).map_err(|_| self.crash());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A line that is there already.
    pub(super) fn line_now(&mut self) -> Option<String> {
        self.lines.try_recv().ok()
    }

    /// How the engine has ended, which its output has.
    fn crash(&mut self) -> EngineFailure {
        self.wait_until(GRACE, EngineProcess::has_ended);
        // What it said last may not have been read yet.
        self.wait_until(GRACE, |process| process.error_reader.as_ref().is_none_or(JoinHandle::is_finished));
        let mut how = match self.ended {
            Some(status) => status.to_string(),
            None => "it closed its output and lives on".to_owned(),
        };
        let last_words = locked(&self.last_words);
        if let Some(words) = last_words.iter().rev().find(|line| !line.trim().is_empty()) {
            how.push_str(&format!(", last words `{}`", shown(words)));
        }
        EngineFailure::Crash { how }
    }

    fn has_ended(&mut self) -> bool {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
        }
        self.ended.is_some()
    }

    fn wait_until(&mut self, limit: Duration, is_so: impl Fn(&mut EngineProcess) -> bool) {
        let deadline = Instant::now() + limit;
        while !is_so(self) && Instant::now() < deadline {
            thread::sleep(LOOK_AT_END);
        }
    }

    /// Ends the process at once, with everything that it has started.
    pub(super) fn kill(&mut self) {
        kill_group(self.child.id());
        if !self.has_ended() {
            // Errors mean that it is gone.
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
        }
        running().remove(&self.child.id());
    }
}

impl Drop for EngineProcess {
    /// All threads end with the pipes. They are not waited for: a process that has left the group could hold them open.
    fn drop(&mut self) {
        if running().contains(&self.child.id()) {
            self.writer.send("quit");
            let _ = self.writer.0.send(Outgoing::Close);
            self.wait_until(GRACE, EngineProcess::has_ended);
            self.kill();
        } else {
            let _ = self.writer.0.send(Outgoing::Close);
        }
    }
}

/// Ends all engines at once, for a program that is about to leave without dropping them.
pub fn kill_all() {
    for id in running().iter() {
        kill_group(*id);
    }
}

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(leader) = i32::try_from(leader) {
        // Errors mean that nobody is left in the group.
        let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// A path is taken as it is, a name is looked up.
fn find(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 || path.is_absolute() {
        return path.is_file().then(|| path.to_owned());
    }
    let directories = env::var_os("PATH").unwrap_or_default();
    let directories = env::split_paths(&directories).chain(GAMES.map(PathBuf::from));
    let file = format!("{program}{}", if path.extension().is_none() { env::consts::EXE_SUFFIX } else { "" });
    directories.map(|directory| directory.join(&file)).find(|candidate| candidate.is_file())
}

fn in_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Outgoing>) {
    while let Ok(Outgoing::Line(line)) = lines.recv() {
        if stdin.write_all((line + "\n").as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    // An error ends the lines as the end of the output does.
    let _ = for_each_line(BufReader::with_capacity(64 << 10, stdout), |line| lines.send(line).is_ok());
}

fn keep_last_words(stderr: ChildStderr, last_words: &Mutex<VecDeque<String>>) {
    let _ = for_each_line(BufReader::new(stderr), |line| {
        let mut last_words = locked(last_words);
        if last_words.len() == LAST_WORDS {
            last_words.pop_front();
        }
        last_words.push_back(line);
        true
    });
}
