//! Waiting for lines with a deadline, in any protocol.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::error::EngineFailure;
use super::process::{EngineProcess, LineWriter};

/// How long an engine that was told to stop may take to answer.
const STOP_LIMIT: Duration = Duration::from_secs(1);

/// How often it is looked whether somebody has asked an engine to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// The least time to wait for an engine to report that it is ready, however impatient the caller is.
const READY_LIMIT: Duration = Duration::from_secs(1);

/// A running engine, spoken to line by line.
pub(super) struct Conversation {
    process: EngineProcess,
    thinking: Arc<AtomicBool>,
    /// Whether somebody has asked the engine to stop since it began to think.
    is_stopped: Arc<AtomicBool>,
    /// What tells the engine to answer at once.
    stop_command: &'static str,
}

/// How long to wait for an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// Beyond this the engine hangs.
    pub(super) patience: Duration,
    /// When to tell it to answer at once, where its protocol has no other way to say so.
    pub(super) stop_after: Option<Duration>,
}

impl Conversation {
    pub(super) fn new(process: EngineProcess, stop_command: &'static str) -> Conversation {
        Conversation { process, thinking: Arc::default(), is_stopped: Arc::default(), stop_command }
    }

    pub(super) fn stop_handle(&self) -> StopHandle {
        StopHandle {
            writer: self.process.writer().clone(),
            thinking: Arc::clone(&self.thinking),
            is_stopped: Arc::clone(&self.is_stopped),
            stop_command: self.stop_command,
        }
    }

    pub(super) fn send(&self, line: impl Into<String>) {
        self.process.writer().send(line);
    }

    pub(super) fn kill(&mut self) {
        self.process.kill();
    }

    /// A line that has come already.
    pub(super) fn line_now(&mut self) -> Option<String> {
        self.process.line_now()
    }

    /// The next line until `deadline`, if there is one.
    pub(super) fn line_until(&mut self, deadline: Instant) -> Result<Option<String>, EngineFailure> {
        self.process.line_until(deadline)
    }

    /// Reads lines until `read` makes something of one.
    pub(super) fn wait_for<T>(
        &mut self,
        limit: Duration,
        expected: &'static str,
        mut read: impl FnMut(&str) -> Result<Option<T>, EngineFailure>,
    ) -> Result<T, EngineFailure> {
        let begin = Instant::now();
        let mut deadline = begin + limit;
        loop {
            if self.is_stopped.load(Ordering::SeqCst) {
                deadline = deadline.min(Instant::now() + STOP_LIMIT);
                self.is_stopped.store(false, Ordering::SeqCst);
            }
            // Not longer than it may take to hear of a stop.
            let next = deadline.min(Instant::now() + STOP_INTERVAL);
            match self.process.line_until(next)? {
                Some(line) => {
                    if let Some(found) = read(&line)? {
                        return Ok(found);
                    }
                }
                None if Instant::now() >= deadline => break,
                None => {}
            }
        }
        Err(EngineFailure::Timeout { after: begin.elapsed(), expected })
    }

    /// Sends `question` and waits for the line `answer`. What the engine said before is dropped with that.
    pub(super) fn synchronise(
        &mut self,
        question: &str,
        answer: &'static str,
        limit: Duration,
    ) -> Result<(), EngineFailure> {
        self.send(question);
        self.wait_for(limit.max(READY_LIMIT), answer, |line| Ok((line.trim() == answer).then_some(())))
    }

    /// Reads lines until `read` makes an answer of one. Where there is none in time, the engine is told to stop and has
    /// one more chance.
    pub(super) fn wait_for_answer<T>(
        &mut self,
        waiting: Waiting,
        expected: &'static str,
        mut read: impl FnMut(&str) -> Result<Option<T>, EngineFailure>,
    ) -> Result<T, EngineFailure> {
        self.is_stopped.store(false, Ordering::SeqCst);
        self.thinking.store(true, Ordering::SeqCst);
        let begin = Instant::now();
        let mut found = Err(EngineFailure::Timeout { after: Duration::ZERO, expected });
        if let Some(limit) = waiting.stop_after.filter(|limit| *limit < waiting.patience) {
            found = self.wait_or_stop(limit, expected, &mut read);
        }
        if matches!(found, Err(EngineFailure::Timeout { .. })) {
            found = self.wait_or_stop(waiting.patience.saturating_sub(begin.elapsed()), expected, &mut read);
        }
        let is_patient = begin.elapsed() >= waiting.patience;
        if is_patient && matches!(found, Err(EngineFailure::Timeout { .. })) {
            found = self.wait_for(STOP_LIMIT, expected, &mut read);
        }
        self.thinking.store(false, Ordering::SeqCst);
        match found {
            Err(EngineFailure::Timeout { .. }) => Err(EngineFailure::Timeout { after: begin.elapsed(), expected }),
            found => found,
        }
    }

    fn wait_or_stop<T>(
        &mut self,
        limit: Duration,
        expected: &'static str,
        read: impl FnMut(&str) -> Result<Option<T>, EngineFailure>,
    ) -> Result<T, EngineFailure> {
        let found = self.wait_for(limit, expected, read);
        if matches!(found, Err(EngineFailure::Timeout { .. })) {
            self.send(self.stop_command);
        }
        found
    }
}

/// Asks an engine to stop thinking and to answer, from any thread.
#[derive(Clone)]
pub struct StopHandle {
    writer: LineWriter,
    thinking: Arc<AtomicBool>,
    is_stopped: Arc<AtomicBool>,
    stop_command: &'static str,
}

impl StopHandle {
    /// Asks it, if it thinks now. Without an answer within a second it is given up.
    pub fn stop(&self) {
        if self.thinking.load(Ordering::SeqCst) {
            self.writer.send(self.stop_command);
            self.is_stopped.store(true, Ordering::SeqCst);
        }
    }
}
