//! A game of a DhtmlXQ block, played by the rules.

use std::collections::HashMap;

use heng_env::Variant;
use heng_env::variants::xiangqi::notation::Form;
use heng_env::variants::xiangqi::{FILES, RANKS};

use super::super::comment::Remark;
use super::super::error::{Located, Problem};
use super::super::replay::{Replayed, Word, replay};
use super::super::result::GameResult;
use super::super::{SavedGame, UNFINISHED};
use super::scan::{Field, RawGame, bad_field};
use super::{LINE_END, TAGS, binit};

/// Digits of a move.
const MOVE_LEN: usize = 4;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

/// The game, and what is wrong with it. There is none where not even its start can be read.
pub(in super::super) fn build(raw: RawGame<'_>, default_variant: &Variant) -> (Option<SavedGame>, Option<Located>) {
    let start = match start(&raw) {
        Ok(start) => start,
        Err((line, problem)) => return (None, Some((line, problem))),
    };
    let (moves, moves_error) = moves(&raw);
    let comments = comments(&raw);
    let of_turn = |number: usize| comments.get(&number).into_iter().copied().collect();
    let words: Vec<Word<'_>> = moves
        .iter()
        .enumerate()
        .map(|(index, (text, line))| Word { text, line: *line, comments: of_turn(index + 1) })
        .collect();
    let variant = xiangqi_of(default_variant);
    let first_line = raw.fields.first().map_or(0, |field| field.line);
    let replayed = match replay(&variant, Some(&start), &words, Some(Form::Iccs)) {
        Ok(replayed) => replayed,
        Err(error) => return (None, Some((first_line, Problem::Start(error)))),
    };
    let Replayed { start, mut turns, outcome, error } = replayed;
    turns.iter_mut().for_each(|turn| turn.comment = turn.comment.take().map(|text| text.replace(LINE_END, "\n")));
    let error = error.or(moves_error).or(raw.error.clone());
    let mut game = SavedGame::bare(variant, start, turns);
    game.comment = Remark::read_all(of_turn(0)).text.map(|text| text.replace(LINE_END, "\n"));
    game.tags = tags(&raw);
    if error.is_some() {
        game.termination = Some(UNFINISHED.to_owned());
        return (Some(game), error);
    }
    game.result = raw.field("result").map_or(outcome.into(), |field| GameResult::from_tag(field.value));
    let by_rules = outcome.filter(|outcome| game.result == GameResult::from(Some(*outcome)));
    let named = raw.field("endtype").map(|field| field.value.to_owned());
    game.termination = named.or(by_rules.map(|outcome| outcome.reason.name().to_owned()));
    (Some(game), None)
}

/// The form knows no other game; settings of Xiangqi that are asked for are kept.
fn xiangqi_of(default_variant: &Variant) -> Variant {
    let is_xiangqi = |variant: &Variant| variant.name() == "xiangqi";
    let registered = || Variant::all().into_iter().find(is_xiangqi);
    if is_xiangqi(default_variant) { None } else { registered() }.unwrap_or_else(|| default_variant.clone())
}

/// The text of the start position.
fn start(raw: &RawGame<'_>) -> Result<String, Located> {
    if let Some(fen) = raw.field("fen") {
        return Ok(fen.value.to_owned());
    }
    let board = match raw.field("binit") {
        Some(field) => binit::read(field.value).map_err(|problem| (field.line, problem))?,
        None => binit::from_fen(START),
    };
    let first = raw.field("movelist").and_then(|field| {
        let (file, rank) = point(field.value.as_bytes().get(..2)?)?;
        board[rank][file]
    });
    let side = if first.is_some_and(|letter| letter.is_ascii_lowercase()) { 'b' } else { 'w' };
    Ok(format!("{} {side} - - 0 1", binit::to_fen(&board)))
}

/// File and rank, from the left and the top.
fn point(digits: &[u8]) -> Option<(usize, usize)> {
    let &[file, rank] = digits else { return None };
    let digit = |byte: u8| byte.is_ascii_digit().then(|| usize::from(byte - b'0'));
    digit(file).zip(digit(rank)).filter(|&(file, rank)| file < FILES && rank < RANKS)
}

/// The moves in ICCS with their lines, up to one that cannot be read.
fn moves(raw: &RawGame<'_>) -> (Vec<(String, usize)>, Option<Located>) {
    let Some(Field { value, line, .. }) = raw.field("movelist") else { return (Vec::new(), None) };
    let digits: Vec<(u8, usize)> = with_lines(value.bytes(), line).collect();
    let mut moves = Vec::with_capacity(digits.len() / MOVE_LEN);
    for chunk in digits.chunks(MOVE_LEN) {
        let bytes: Vec<u8> = chunk.iter().map(|&(byte, _)| byte).collect();
        let line = chunk.first().map_or(line, |&(_, line)| line);
        let ends = bytes.get(..2).and_then(point).zip(bytes.get(2..).and_then(point));
        let Some(((file, rank), (to_file, to_rank))) = ends else {
            let found = String::from_utf8_lossy(&bytes).into_owned();
            let problem = bad_field("movelist", &found, "four digits a move: file 0-8 and rank 0-9, twice");
            return (moves, Some((line, problem)));
        };
        let square = |file: usize, rank: usize| format!("{}{}", char::from(b'a' + file as u8), RANKS - 1 - rank);
        moves.push((square(file, rank) + &square(to_file, to_rank), line));
    }
    (moves, None)
}

/// The bytes that are no white space, with their lines.
fn with_lines(bytes: impl Iterator<Item = u8>, first_line: usize) -> impl Iterator<Item = (u8, usize)> {
    let mut line = first_line;
    bytes.filter_map(move |byte| {
        line += usize::from(byte == b'\n');
        (!byte.is_ascii_whitespace()).then_some((byte, line))
    })
}

/// The comments of the main line by the number of the move, 0 for the start.
fn comments<'a>(raw: &RawGame<'a>) -> HashMap<usize, &'a str> {
    let mut comments = HashMap::new();
    for field in &raw.fields {
        // The main line is variation 0, and some name it.
        let number = field.name.strip_prefix("comment").map(|number| number.strip_prefix("0_").unwrap_or(number));
        if let Some(number) = number.and_then(|number| number.parse().ok()) {
            comments.entry(number).or_insert(field.value);
        }
    }
    comments
}

fn tags(raw: &RawGame<'_>) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    for (name, tag) in TAGS {
        // Some sites have only the names of the players without those of their teams.
        let field = raw.field(name).or_else(|| raw.field(&format!("{name}name")));
        let Some(value) = field.map(|field| field.value).filter(|value| !value.starts_with("0000")) else { continue };
        tags.push((tag.to_owned(), if name == "date" { dotted(value) } else { value.replace('\n', " ") }));
    }
    tags
}

/// `2026-07-22` as PGN has it, `2026.07.22`; anything else as it is.
fn dotted(date: &str) -> String {
    let is_date = date.len() == 10 && date.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'/'));
    if is_date { date.replace(['-', '/'], ".") } else { date.to_owned() }
}
