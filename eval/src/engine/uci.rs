//! UCI and UCCI, which have most of their words in common.
//!
//! UCI is described by Stefan Meyer-Kahlen (April 2006), its use for Xiangqi by what Fairy-Stockfish does: the option
//! `UCI_Variant`, and ranks from 1. UCCI 3.0 is <https://www.xqbase.com/protocol/cchess_ucci.htm>; it has ranks from 0.

mod go;

use std::time::{Duration, Instant};

use super::conversation::{Conversation, Waiting};
use super::error::{EngineError, EngineFailure, shown};
use super::info::{EngineInfo, read_info};
use super::options::{self, OfferedOption, Values, read_option};
use super::spec::{EngineSpec, Protocol};
use super::squares::Writing;
use super::{EngineAnswer, Greeted, Question, Reply, Session, greeting_error, program_name};

/// The variant that has points as other programs know them, and the only one of UCCI.
const XIANGQI: &str = "xiangqi";

/// Where Pikafish differs from other engines of UCI: it calls the first rank 0.
const COUNTS_FROM_0: &str = "pikafish";

/// How long a new game may take to prepare: tables of gigabytes are cleared.
const NEW_GAME_LIMIT: Duration = Duration::from_secs(10);

struct UciSession {
    dialect: Dialect,
    writing: Writing,
    new_game: Option<&'static str>,
}

/// What differs between the two protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Uci,
    Ucci,
}

/// What an engine has told of itself.
#[derive(Default)]
struct Introduction {
    name: Option<String>,
    options: Vec<OfferedOption>,
}

/// Greets an engine and sets the variant and its options.
pub(super) fn greet(
    conversation: &mut Conversation,
    spec: &EngineSpec,
    variant: &str,
    limit: Duration,
) -> Result<Greeted, EngineError> {
    let begin = Instant::now();
    let greeting_error = |failure| greeting_error(spec, failure);
    let introduction = introduce(conversation, spec.protocol, limit).map_err(greeting_error)?;
    let name = introduction.name.clone().unwrap_or_else(|| program_name(spec));
    let variant_error =
        |offered: String| EngineError::Variant { engine: name.clone(), variant: variant.to_owned(), offered };
    let dialect = match spec.protocol {
        Protocol::Ucci if variant != XIANGQI => return Err(variant_error(XIANGQI.to_owned())),
        Protocol::Ucci => Dialect::Ucci,
        _ => Dialect::Uci,
    };
    if let Some(set) = dialect.own_setting(&introduction.options, variant).map_err(variant_error)? {
        conversation.send(set);
    }
    for (option, value) in &spec.options {
        let (option, value) = options::checked(&name, &introduction.options, option, value)?;
        conversation.send(dialect.setoption(option, &value));
    }
    let left = limit.saturating_sub(begin.elapsed());
    conversation.synchronise("isready", "readyok", left).map_err(greeting_error)?;
    let writing = dialect.writing(spec, variant, &name);
    let has_new_game = options::find(&introduction.options, "newgame").is_some();
    let new_game = match dialect {
        Dialect::Uci => Some("ucinewgame"),
        Dialect::Ucci => has_new_game.then_some("setoption newgame"),
    };
    Ok(Greeted { name, session: Box::new(UciSession { dialect, writing, new_game }) })
}

/// Sends the protocol's name and reads the answer up to `uciok` or `ucciok`.
fn introduce(
    conversation: &mut Conversation,
    protocol: Protocol,
    limit: Duration,
) -> Result<Introduction, EngineFailure> {
    let last = if protocol == Protocol::Ucci { "ucciok" } else { "uciok" };
    let mut introduction = Introduction::default();
    conversation.send(protocol.name());
    conversation.wait_for(limit, last, |line| {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("id name ") {
            introduction.name = Some(shown(name));
        }
        introduction.options.extend(read_option(line));
        Ok((line == last).then_some(()))
    })?;
    Ok(introduction)
}

impl Dialect {
    /// The option that has to be set for the engine to be understood: the variant in UCI, milliseconds in UCCI.
    fn own_setting(self, offered: &[OfferedOption], variant: &str) -> Result<Option<String>, String> {
        match self {
            Dialect::Uci => {
                let Some(option) = options::find(offered, "UCI_Variant") else { return Ok(None) };
                let name = match &option.values {
                    Values::Combo(names) if !names.is_empty() => names
                        .iter()
                        .find(|name| name.eq_ignore_ascii_case(variant))
                        .ok_or_else(|| options::listed(names.iter().map(String::as_str)))?,
                    _ => variant,
                };
                Ok(Some(self.setoption(option, name)))
            }
            // Engines that do not offer it are given milliseconds too, the unit that newer versions of UCCI recommend.
            Dialect::Ucci => Ok(options::find(offered, "usemillisec").map(|option| self.setoption(option, "true"))),
        }
    }

    fn setoption(self, OfferedOption { name, .. }: &OfferedOption, value: &str) -> String {
        match self {
            Dialect::Uci if value.is_empty() => format!("setoption name {name}"),
            Dialect::Uci => format!("setoption name {name} value {value}"),
            Dialect::Ucci => format!("setoption {name} {value}").trim_end().to_owned(),
        }
    }

    fn writing(self, spec: &EngineSpec, variant: &str, name: &str) -> Writing {
        if variant != XIANGQI {
            return Writing::Same;
        }
        let counts_from_0 = self != Dialect::Uci || name.to_lowercase().starts_with(COUNTS_FROM_0);
        Writing::Points { first_rank: spec.first_rank.unwrap_or(u8::from(!counts_from_0)) }
    }
}

impl Session for UciSession {
    fn begin(&mut self, conversation: &mut Conversation) -> Result<(), EngineFailure> {
        if let Some(command) = self.new_game {
            conversation.send(command);
        }
        conversation.synchronise("isready", "readyok", NEW_GAME_LIMIT)
    }

    fn choose(
        &mut self,
        conversation: &mut Conversation,
        question: &Question<'_>,
        on_info: &mut dyn FnMut(&EngineInfo),
    ) -> Result<EngineAnswer, EngineFailure> {
        // Whatever it said without being asked is not the answer to what comes now.
        conversation.synchronise("isready", "readyok", question.patience)?;
        conversation.send(self.position(question));
        conversation.send(go::command(self.dialect, question));
        let waiting = Waiting { patience: question.patience, stop_after: None };
        let writing = self.writing;
        let mut best: Option<EngineInfo> = None;
        let (reply, ponder) = conversation.wait_for_answer(waiting, "`bestmove`", |line| {
            if let Some(info) = read_info(line, writing) {
                let info = info.after(best.as_ref());
                on_info(&info);
                if info.multipv == 1 {
                    best = Some(info);
                }
            }
            read_bestmove(line, writing)
        })?;
        Ok(EngineAnswer { reply, info: best, ponder })
    }
}

impl UciSession {
    fn position(&self, question: &Question<'_>) -> String {
        let game = question.game;
        let mut command = match game.is_standard_start {
            true => "position startpos".to_owned(),
            false => format!("position fen {}", game.start),
        };
        if !game.turns.is_empty() {
            command.push_str(" moves");
        }
        for turn in game.turns {
            command.push(' ');
            command.push_str(&self.writing.write(turn));
        }
        command
    }
}

/// Reads `bestmove h3e3 ponder h10g8`, and the ways to say that there is none. `None` if the line is something else.
fn read_bestmove(line: &str, writing: Writing) -> Result<Option<(Reply, Option<String>)>, EngineFailure> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("nobestmove") => return Ok(Some((Reply::NoMove("nobestmove".to_owned()), None))),
        Some("bestmove") => {}
        _ => return Ok(None),
    }
    let Some(turn) = words.next() else { return Err(EngineFailure::protocol(line, "a move after `bestmove`")) };
    let rest: Vec<&str> = words.collect();
    // UCCI: an engine may give up together with its move.
    if turn == "resign" || rest.contains(&"resign") {
        return Ok(Some((Reply::Resigns, None)));
    }
    if ["(none)", "none", "0000", "null", "NULL"].contains(&turn) {
        return Ok(Some((Reply::NoMove(turn.to_owned()), None)));
    }
    let turn = writing.read(turn).ok_or_else(|| EngineFailure::protocol(line, writing.example()))?;
    let ponder = rest.windows(2).find(|pair| pair[0] == "ponder").and_then(|pair| writing.read(pair[1]));
    Ok(Some((Reply::Turn(turn), ponder)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_best_move_is_read_in_every_way_of_writing_it() {
        let from_1 = Writing::Points { first_rank: 1 };
        let read = |line| read_bestmove(line, from_1).unwrap();
        let turn = |turn: &str| Reply::Turn(turn.to_owned());
        assert_eq!(read("bestmove h3e3 ponder h10g8"), Some((turn("h3e3"), Some("h10g8".to_owned()))));
        assert_eq!(read("  bestmove  h3e3 draw"), Some((turn("h3e3"), None)));
        assert_eq!(read("bestmove h3e3 ponder (none)"), Some((turn("h3e3"), None)));
        assert_eq!(read("bestmove (none)"), Some((Reply::NoMove("(none)".to_owned()), None)));
        assert_eq!(read("bestmove 0000"), Some((Reply::NoMove("0000".to_owned()), None)));
        assert_eq!(read("nobestmove"), Some((Reply::NoMove("nobestmove".to_owned()), None)));
        assert_eq!(read("bestmove h3e3 resign"), Some((Reply::Resigns, None)));
        assert_eq!(read("info string bestmove h3e3"), None);
        for line in ["bestmove", "bestmove h3", "bestmove h0e0", "bestmove 炮二平五"] {
            assert!(matches!(read_bestmove(line, from_1), Err(EngineFailure::Protocol { .. })), "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(
            line in "(bestmove|nobestmove)? ?(([a-j][0-9]{0,2}){0,3}|\\PC{0,5}) ?(ponder|resign)? ?\\PC{0,5}"
        ) {
            for writing in [Writing::Points { first_rank: 0 }, Writing::Points { first_rank: 1 }, Writing::Same] {
                let _ = read_bestmove(&line, writing);
            }
        }
    }
}
