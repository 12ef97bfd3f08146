//! What a client is told.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use heng_env::{Action, Notation};

use super::Dialect;
use crate::agent::{Distance, Line, Opinion, Verdict};
use crate::bounded_lines::on_one_line;
use crate::engine::Writing;

/// Where answers go, whole lines at a time, from any thread.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Sink>>);

struct Sink {
    writer: Box<dyn Write + Send>,
    /// The first error, after which nothing more is written.
    failure: Option<io::Error>,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Sink { writer: Box::new(writer), failure: None })))
    }

    /// Writes one line, at once.
    pub(super) fn line(&self, line: &str) {
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.failure.is_none() {
            let written = writeln!(sink.writer, "{line}").and_then(|()| sink.writer.flush());
            sink.failure = written.err();
        }
    }

    /// Tells of something that was wrong.
    pub(super) fn error(&self, error: &dyn std::fmt::Display) {
        self.line(&format!("info string error {}", on_one_line(&error.to_string())));
    }

    /// The first error of writing, if there was one.
    pub(super) fn failure(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).failure.take()
    }
}

/// How lines are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) dialect: Dialect,
    pub(super) shows_wdl: bool,
    /// How the client writes turns.
    pub(super) writing: Writing,
}

impl Style {
    /// One `info` line for each line of an opinion on `position`.
    pub(super) fn info<G: Notation>(self, position: &G, opinion: &Opinion, elapsed: Duration) -> Vec<String> {
        let milliseconds = elapsed.as_millis().max(1);
        let speed = u128::from(opinion.nodes) * 1000 / milliseconds;
        let effort = format!("nodes {} nps {speed} time {milliseconds}", opinion.nodes);
        let line = |(index, line): (usize, &Line)| {
            let turns = whole_turns(position, &line.steps);
            let mut text = format!("info depth {}", opinion.depth);
            if self.dialect == Dialect::Uci {
                let _ = write!(text, " multipv {}", index + 1);
            }
            let _ = write!(text, " {} {effort}", self.score(line, turns.ended.then_some(turns.texts.len())));
            if !turns.texts.is_empty() {
                let turns: Vec<String> = turns.texts.iter().map(|turn| self.writing.write(turn)).collect();
                let _ = write!(text, " pv {}", turns.join(" "));
            }
            text
        };
        opinion.lines.iter().enumerate().map(line).collect()
    }

    /// The score of a line that ends the game after so many turns, if it does.
    fn score(self, line: &Line, end: Option<usize>) -> String {
        let wdl = match line.wdl {
            Some(wdl) if self.shows_wdl && self.dialect == Dialect::Uci => {
                let [win, loss] = [wdl.win, wdl.loss].map(|share| (share * 1000.0).round().clamp(0.0, 1000.0) as u32);
                format!(" wdl {win} {} {loss}", 1000_u32.saturating_sub(win + loss))
            }
            _ => String::new(),
        };
        let mate = line.verdict.and_then(|verdict| moves_to_mate(verdict, end));
        let score = match (self.dialect, mate) {
            (Dialect::Uci, Some(moves)) => format!("score mate {moves}"),
            (Dialect::Uci, None) => format!("score cp {}", hundredths(line.score.unwrap_or(0.0))),
            // UCCI has one number: mates are what is left of a very high one.
            (Dialect::Ucci, Some(moves)) => format!("score {}", moves.signum() * (UCCI_MATE - moves.abs())),
            (Dialect::Ucci, None) => format!("score {}", hundredths(line.score.unwrap_or(0.0))),
        };
        score + &wdl
    }
}

/// The score of a mate at hand in UCCI.
const UCCI_MATE: i32 = 30_000;

/// The highest score that is no mate.
const HUNDREDTHS_MAX: f64 = 12_800.0;

/// An expected result as hundredths of a pawn, by the formula of Leela Chess Zero (`score_type=centipawn`): near 0 a pawn is
/// worth about 0.6 of a win, and the ends are far away.
fn hundredths(score: f32) -> i32 {
    let hundredths = 90.0 * (1.563_754_189_7 * f64::from(score.clamp(-1.0, 1.0))).tan();
    hundredths.clamp(-HUNDREDTHS_MAX, HUNDREDTHS_MAX).round() as i32
}

/// Moves to a proven win, or minus those to a proven loss, as UCI counts them: turns of the winner, for the loser of its own.
fn moves_to_mate(verdict: Verdict, end: Option<usize>) -> Option<i32> {
    let turns = match (end, verdict.distance) {
        (Some(turns), _) => turns as u32,
        (None, Distance::Turns(turns) | Distance::Steps(turns)) => turns,
    };
    match verdict.result {
        1 => Some((turns.div_ceil(2)).max(1) as i32),
        -1 => Some(-((turns / 2) as i32)),
        _ => None,
    }
}

/// The turns of a line.
pub(super) struct Turns {
    /// Their texts; a turn that the line does not complete is left out.
    pub(super) texts: Vec<String>,
    /// Whether the last of them ends the game.
    ended: bool,
}

/// Writes the whole turns among `steps`, which begin where a turn does.
pub(super) fn whole_turns<G: Notation>(start: &G, steps: &[Action]) -> Turns {
    let (mut turns, mut turn_start) = (Turns { texts: Vec::new(), ended: false }, start.clone());
    let mut position = start.clone();
    let mut begun = 0;
    for (index, &action) in steps.iter().enumerate() {
        if position.outcome().is_some() {
            break;
        }
        position.apply(action);
        turns.ended = position.outcome().is_some();
        if position.at_turn_start() || turns.ended {
            turns.texts.push(turn_start.turn_text(&steps[begun..=index]));
            begun = index + 1;
            turn_start = position.clone();
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use heng_mcts::value::Wdl;

    #[test]
    fn scores_are_hundredths_of_a_pawn_or_moves_to_mate() {
        let uci = Style { dialect: Dialect::Uci, shows_wdl: true, writing: Writing::Same };
        let ucci = Style { dialect: Dialect::Ucci, ..uci };
        let line = |score: f32, verdict: Option<Verdict>| Line {
            score: Some(score),
            wdl: Some(Wdl { win: 0.5, draw: 0.2, loss: 0.3 }),
            verdict,
            ..Line::default()
        };
        assert_eq!(uci.score(&line(0.0, None), None), "score cp 0 wdl 500 200 300");
        assert_eq!(uci.score(&line(0.5, None), None), "score cp 89 wdl 500 200 300");
        assert_eq!(uci.score(&line(-1.0, None), None), "score cp -12780 wdl 500 200 300");
        assert_eq!(ucci.score(&line(-0.5, None), None), "score -89");
        let verdict = |result, turns| Some(Verdict { result, distance: Distance::Turns(turns) });
        assert_eq!(ucci.score(&line(1.0, verdict(1, 3)), None), "score 29998");
        assert_eq!(ucci.score(&line(-1.0, verdict(-1, 2)), None), "score -29999");
        for (result, turns, end, expected) in [
            (1, 1, None, Some(1)),
            (1, 5, Some(3), Some(2)),
            (-1, 2, None, Some(-1)),
            (-1, 0, None, Some(0)),
            (0, 4, None, None),
        ] {
            assert_eq!(moves_to_mate(verdict(result, turns).unwrap(), end), expected);
        }
    }
}
