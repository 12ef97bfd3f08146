//! What an engine tells of its thinking: the `info` lines of UCI and UCCI, and the thinking output of xboard.

use std::time::Duration;

use super::squares::Writing;

/// An engine's opinion of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// In hundredths of a pawn, or whatever the engine counts in.
    Cp(i32),
    /// Mate in so many moves of its own; the side to move is mated if it is negative or 0.
    Mate(i32),
}

/// What an engine tells of its thinking, as far as it does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// How many plies it has looked ahead.
    pub depth: Option<u32>,
    /// How many positions it has looked at.
    pub nodes: Option<u64>,
    /// Its opinion.
    pub score: Option<EngineScore>,
    /// Wins, draws and losses in a thousand games.
    pub wdl: Option<[u16; 3]>,
    /// The turns that it expects, in our form.
    pub pv: Vec<String>,
    /// How long it has thought.
    pub time: Option<Duration>,
    /// Which of its lines this is, if it tells several: 1 is the best.
    pub multipv: u32,
}

impl EngineInfo {
    /// This, with what only an earlier line told.
    pub(super) fn after(self, earlier: Option<&EngineInfo>) -> EngineInfo {
        let Some(earlier) = earlier else { return self };
        let (nodes, time) = (self.nodes.or(earlier.nodes), self.time.or(earlier.time));
        let has_opinion = self.score.is_some() || !self.pv.is_empty();
        if has_opinion { EngineInfo { nodes, time, ..self } } else { EngineInfo { nodes, time, ..earlier.clone() } }
    }
}

/// The words that begin the parts of an `info` line.
const PARTS: [&str; 18] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
    "wdl",
];

/// Reads an `info` line of UCI or UCCI leniently: what it does not know or cannot read is left out. `None` if the line
/// tells nothing that counts.
pub(super) fn read_info(line: &str, writing: Writing) -> Option<EngineInfo> {
    let mut words = line.split_ascii_whitespace().skip_while(|&word| word != "info").skip(1).peekable();
    let mut info = EngineInfo { multipv: 1, ..EngineInfo::default() };
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.peek().and_then(|word| word.parse().ok()),
            "nodes" => info.nodes = words.peek().and_then(|word| word.parse().ok()),
            "time" => info.time = words.peek().and_then(|word| word.parse().ok()).map(Duration::from_millis),
            "multipv" => info.multipv = words.peek().and_then(|word| word.parse().ok()).unwrap_or(1),
            "score" => info.score = read_score(|| words.next_if(|word| !is_part(word))).or(info.score),
            "wdl" => info.wdl = read_wdl(|| words.next_if(|word| !is_part(word))),
            "pv" => info.pv = writing.read_all(std::iter::from_fn(|| words.next_if(|word| !is_part(word)))),
            "string" | "message" => break,
            _ => {}
        }
    }
    let tells = info.nodes.is_some() || info.time.is_some() || info.score.is_some() || !info.pv.is_empty();
    tells.then_some(info)
}

fn is_part(word: &str) -> bool {
    PARTS.contains(&word)
}

/// `cp 34`, `mate -3`, or the number alone, as UCCI has it.
fn read_score<'a>(mut next: impl FnMut() -> Option<&'a str>) -> Option<EngineScore> {
    let word = next()?;
    match word {
        "cp" => next().and_then(clamped).map(EngineScore::Cp),
        "mate" => next().and_then(clamped).map(EngineScore::Mate),
        number => clamped(number).map(EngineScore::Cp),
    }
}

fn read_wdl<'a>(mut next: impl FnMut() -> Option<&'a str>) -> Option<[u16; 3]> {
    let mut number = || next()?.parse().ok().filter(|number| *number <= 1000);
    Some([number()?, number()?, number()?])
}

fn clamped(text: &str) -> Option<i32> {
    let number: i64 = text.parse().ok()?;
    Some(number.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

/// By the convention of xboard, 100000 and the number of moves stand for a mate, negative for the side that suffers it.
const XBOARD_MATE: i32 = 100_000;

/// Nearer to 0 than this, a score is no mate against the engine.
const XBOARD_MATED: i32 = 1 - XBOARD_MATE;

/// Reads a line of thinking output: `ply score time nodes pv`, with the time in hundredths of a second, and newer numbers
/// before a tab. `None` if the line is none.
pub(super) fn read_thinking(line: &str, writing: Writing) -> Option<EngineInfo> {
    let (numbers, pv) = line.split_once('\t').unwrap_or((line, ""));
    let mut words = numbers.split_ascii_whitespace();
    let depth = words.next()?.trim_end_matches(['.', '+', '-', '&']).parse().ok()?;
    let score = clamped(words.next()?)?;
    let centiseconds: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let score = match score {
        XBOARD_MATE.. => EngineScore::Mate(score - XBOARD_MATE),
        XBOARD_MATED.. => EngineScore::Cp(score),
        _ => EngineScore::Mate(score.saturating_add(XBOARD_MATE)),
    };
    let pv = words.chain(pv.split_ascii_whitespace()).skip_while(|word| word.parse::<i64>().is_ok());
    let pv: Vec<String> = pv.filter(|word| !is_number_of_move(word)).map(bare).collect();
    Some(EngineInfo {
        depth: Some(depth),
        nodes: Some(nodes),
        score: Some(score),
        wdl: None,
        pv: writing.read_all(pv.iter().map(String::as_str)),
        time: Some(Duration::from_millis(centiseconds.saturating_mul(10))),
        multipv: 1,
    })
}

/// `1.`, `...`, and marks such as `(+)`.
fn is_number_of_move(word: &str) -> bool {
    !word.contains(|letter: char| letter.is_ascii_alphabetic())
}

/// `h2e2` of `Ch2-e2`, `Ch2xe2` or `h2e2+`.
fn bare(word: &str) -> String {
    word.chars()
        .filter(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        .filter(|&letter| letter != 'x')
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FROM_1: Writing = Writing::Points { first_rank: 1 };
    const FROM_0: Writing = Writing::Points { first_rank: 0 };

    #[test]
    fn the_parts_of_a_line_are_read_in_any_order() {
        let line = "info depth 8 seldepth 12 multipv 1 score cp 236 upperbound wdl 700 200 100 nodes 10372 nps 195698 \
                    tbhits 0 time 53 pv i10h10 b1c3 h8c8 g1e3";
        let info = read_info(line, FROM_1).unwrap();
        assert_eq!((info.depth, info.nodes, info.time), (Some(8), Some(10372), Some(Duration::from_millis(53))));
        assert_eq!((info.score, info.wdl, info.multipv), (Some(EngineScore::Cp(236)), Some([700, 200, 100]), 1));
        assert_eq!(info.pv, ["i10h10", "b1c3", "h8c8", "g1e3"]);
        let info = read_info("info pv h2e2 score mate -3 depth 4", FROM_0).unwrap();
        assert_eq!((info.pv, info.score, info.depth), (vec!["h3e3".into()], Some(EngineScore::Mate(-3)), Some(4)));
        assert_eq!(read_info("info depth 6 score 12 pv", FROM_0).unwrap().score, Some(EngineScore::Cp(12)));
        assert_eq!(read_info("info depth 6 currmove h2e2", FROM_0), None);
        assert_eq!(read_info("info string depth 3 score cp 5", FROM_0), None);
        assert_eq!(read_info("info score cp 99999999999", FROM_0).unwrap().score, Some(EngineScore::Cp(i32::MAX)));
    }

    #[test]
    fn thinking_output_is_read_in_its_old_and_in_its_new_form() {
        let info = read_thinking("5 8 42 60983 1. Pa3-a4 Pc6-c5 2. Ch2-e2 Cb7-e7 3. Ce7xe3+", FROM_0).unwrap();
        assert_eq!((info.depth, info.nodes, info.time), (Some(5), Some(60983), Some(Duration::from_millis(420))));
        assert_eq!(info.pv, ["a4a5", "c7c6", "h3e3", "b8e8", "e8e4"]);
        let info = read_thinking("5 -100002 0 695 5 173750 0\t h9g7 e2c2", FROM_0).unwrap();
        assert_eq!((info.score, info.pv), (Some(EngineScore::Mate(-2)), vec!["h10g8".into(), "e3c3".into()]));
        assert_eq!(read_thinking("move h2e2", FROM_0), None);
        assert_eq!(read_thinking("1 2 3", FROM_0), None);
    }

    #[test]
    fn a_line_without_an_opinion_keeps_the_opinion_before_it() {
        let earlier = read_info("info depth 3 score cp 5 nodes 10 pv a1a2", FROM_1).unwrap();
        let later = read_info("info depth 4 nodes 20 time 5", FROM_1).unwrap().after(Some(&earlier));
        assert_eq!((later.depth, later.nodes, later.score), (Some(3), Some(20), Some(EngineScore::Cp(5))));
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(
            line in "(info )?((depth|score|cp|mate|wdl|pv|nodes|time|multipv|string|[0-9-]{1,25}|[a-j][0-9é]{0,3}|\\PC{0,5})[ \t]?){0,12}"
        ) {
            for writing in [FROM_0, FROM_1, Writing::Same] {
                read_info(&line, writing);
                read_thinking(&line, writing);
            }
        }
    }
}
