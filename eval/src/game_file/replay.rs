//! Written turns played by the rules, and played turns written.
//!
//! Draws by repetition and by the limits on turns and quiet moves do not end a game that is read: those who played it may have had
//! other rules of that kind. Where a game is over on the board, nothing more is read.

use std::any::Any;

use heng_env::notation::{FenError, NotationError};
use heng_env::variants::VariantVisitor;
use heng_env::variants::xiangqi::Xiangqi;
use heng_env::variants::xiangqi::notation::Form;
use heng_env::{Action, Notation, Outcome, Side, Variant};

use super::build::Recorder;
use super::comment::Remark;
use super::error::{Located, Problem, shown};
use super::{MOST_TURNS, SavedGame, SavedTurn};

/// What stands for a turn, or for a step of one that goes on, in a file.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
    /// The comments that follow it.
    pub(super) comments: Vec<&'a str>,
}

/// Words that have been played as far as they can be.
pub(super) struct Replayed {
    /// The text of the start.
    pub(super) start: String,
    pub(super) turns: Vec<SavedTurn>,
    /// How the rules say that it ended, if the last step ended it.
    pub(super) outcome: Option<Outcome>,
    /// What is wrong, with its line.
    pub(super) error: Option<Located>,
}

/// Plays `words` from the position text `start`, or the variant's standard start. Moves of Xiangqi may be written in any form;
/// `coordinates` says which of ICCS and UCI a pair of points is, where that is known.
pub(super) fn replay(
    variant: &Variant,
    start: Option<&str>,
    words: &[Word<'_>],
    coordinates: Option<Form>,
) -> Result<Replayed, FenError> {
    variant.dispatch(Replay { start, words, coordinates })
}

struct Replay<'a> {
    start: Option<&'a str>,
    words: &'a [Word<'a>],
    coordinates: Option<Form>,
}

impl VariantVisitor for Replay<'_> {
    type Output = Result<Replayed, FenError>;

    fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> Result<Replayed, FenError> {
        let start = match self.start {
            Some(text) => G::from_fen(&rules, text)?,
            None => G::standard_start(&rules),
        };
        let (turns, error) = self.play_in_best_form(&start);
        let outcome = if error.is_none() { outcome_after(&start, &turns) } else { None };
        let error = error.map(|(word, problem)| (self.words.get(word).map_or(0, |word| word.line), problem));
        Ok(Replayed { start: start.fen(), turns, outcome, error })
    }
}

/// Turns, and the word that could not be played with what is wrong with it.
type Played = (Vec<SavedTurn>, Option<Located>);

impl Replay<'_> {
    /// ICCS and UCI look alike: the one that reads further is meant, ICCS if they read equally far.
    fn play_in_best_form<G: Notation>(&self, start: &G) -> Played {
        let (turns, error) = self.play(start, self.coordinates.unwrap_or(Form::Iccs));
        let is_open = self.coordinates.is_none() && is_xiangqi(start);
        match error {
            Some((stopped, problem)) if is_open => match self.play(start, Form::Uci) {
                (_, Some((other, _))) if other <= stopped => (turns, Some((stopped, problem))),
                further => further,
            },
            error => (turns, error),
        }
    }

    fn play<G: Notation>(&self, start: &G, coordinates: Form) -> Played {
        let mut recorder = Recorder::new(&start.without_draw_rules());
        let mut comments = Vec::new();
        let mut round = Round::new();
        for (index, word) in self.words.iter().enumerate() {
            if !recorder.is_within_turn() {
                round.begin(recorder.position.side_to_act());
            }
            let steps = match read_word(&recorder, word.text, coordinates) {
                Ok(steps) => steps,
                Err(problem) => return (recorder.finish(), Some((index, round.problem::<G>(problem)))),
            };
            comments.extend(word.comments.iter().copied());
            for action in steps {
                if recorder.apply(action) {
                    // Repetitions end nothing here, and to search for them would take longer with every turn.
                    recorder.position.set_repetitions(0);
                    if let Some(turn) = recorder.last_turn() {
                        remark(turn, std::mem::take(&mut comments));
                    }
                }
            }
        }
        let mut turns = recorder.finish();
        if let Some(turn) = turns.last_mut().filter(|_| !comments.is_empty()) {
            remark(turn, comments);
        }
        (turns, None)
    }
}

fn remark(turn: &mut SavedTurn, comments: Vec<&str>) {
    let Remark { value, time, text } = Remark::read_all(comments);
    (turn.value, turn.time, turn.comment) = (value, time, text);
}

/// Why a word is no turn.
enum WordProblem {
    Notation(NotationError),
    Over(String, &'static str),
    TooMany,
}

fn read_word<G: Notation>(recorder: &Recorder<G>, word: &str, coordinates: Form) -> Result<Vec<Action>, WordProblem> {
    let position = &recorder.position;
    if let Some(outcome) = position.outcome() {
        return Err(WordProblem::Over(shown(word), outcome.reason.name()));
    }
    if recorder.turn_count() >= MOST_TURNS {
        return Err(WordProblem::TooMany);
    }
    let steps = if let Some(game) = as_xiangqi(position) {
        read_move(game, word, coordinates).map(|action| vec![action])
    } else if recorder.is_within_turn() {
        position.parse_step(word).map(|action| vec![action])
    } else {
        // A turn that goes no further is written step by step.
        position.parse_turn(word).or_else(|error| position.parse_step(word).map(|action| vec![action]).or(Err(error)))
    };
    steps.map_err(WordProblem::Notation)
}

/// Reads a move in the form that its characters show.
fn read_move(game: &Xiangqi, word: &str, coordinates: Form) -> Result<Action, NotationError> {
    if !word.is_ascii() {
        return game.read_move(word, Form::Simplified);
    }
    if !is_pair_of_points(word) {
        return game.read_move(word, Form::Wxf);
    }
    let word = word.trim_end_matches(['+', '#']);
    match coordinates {
        Form::Uci => game.read_move(&word.to_ascii_lowercase().replace('-', ""), Form::Uci),
        _ => game.read_move(word, Form::Iccs),
    }
}

/// Whether a word is like `h2e2`, `H2-E2` or `h10g8`. A move of WXF has a digit or sign where the second file would be.
fn is_pair_of_points(word: &str) -> bool {
    let is_file = |byte: u8| matches!(byte.to_ascii_lowercase(), b'a'..=b'i');
    match *word.as_bytes() {
        [file, rank, b'-', other, ..] => is_file(file) && rank.is_ascii_digit() && is_file(other),
        [file, b'1', b'0', other, ..] => is_file(file) && is_file(other),
        [file, rank, other, ..] => is_file(file) && rank.is_ascii_digit() && is_file(other),
        _ => false,
    }
}

/// How the rules say that the game ended, draws included; nothing if it went on after that.
fn outcome_after<G: Notation>(start: &G, turns: &[SavedTurn]) -> Option<Outcome> {
    let mut position = start.clone();
    for &action in turns.iter().flat_map(|turn| &turn.steps) {
        if position.outcome().is_some() {
            return None;
        }
        position.apply(action);
    }
    position.outcome()
}

fn as_xiangqi<G: Notation>(game: &G) -> Option<&Xiangqi> {
    (game as &dyn Any).downcast_ref()
}

fn is_xiangqi<G: Notation>(game: &G) -> bool {
    as_xiangqi(game).is_some()
}

/// Counts rounds: each begins with red's turn, the first with whoever begins.
struct Round {
    number: usize,
    side: Side,
}

impl Round {
    fn new() -> Round {
        Round { number: 0, side: Side::Black }
    }

    fn begin(&mut self, side: Side) {
        self.number += usize::from(side == Side::Red || self.number == 0);
        self.side = side;
    }

    fn problem<G: Notation>(&self, problem: WordProblem) -> Problem {
        let (round, side) = (self.number, G::side_name(self.side));
        match problem {
            WordProblem::Notation(source) => Problem::Turn { round, side, source },
            WordProblem::Over(text, reason) => Problem::Over { round, side, text, reason },
            WordProblem::TooMany => {
                Problem::TooLong { what: "a game", found: MOST_TURNS + 1, most: MOST_TURNS, unit: "turns" }
            }
        }
    }
}

/// A turn as it is written in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenTurn {
    /// The number of its round.
    pub(crate) round: usize,
    /// Who played it.
    pub(crate) side: Side,
    pub(crate) text: String,
}

/// The turns of a game; those of Xiangqi in `form`.
pub(crate) fn written_turns(game: &SavedGame, form: Form) -> Vec<WrittenTurn> {
    game.variant.dispatch(Write { game, form })
}

struct Write<'a> {
    game: &'a SavedGame,
    form: Form,
}

impl VariantVisitor for Write<'_> {
    type Output = Vec<WrittenTurn>;

    fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> Vec<WrittenTurn> {
        let mut round = Round::new();
        // Whatever made the game has taken its start from a position.
        let Ok(start) = G::from_fen(&rules, &self.game.start) else { return Vec::new() };
        let mut position = start.without_draw_rules();
        let mut written = Vec::with_capacity(self.game.turns.len());
        for turn in &self.game.turns {
            round.begin(position.side_to_act());
            let text = match (as_xiangqi(&position), turn.steps.as_slice()) {
                (Some(game), &[action]) => game.move_text(action, self.form),
                _ => turn.text.clone(),
            };
            written.push(WrittenTurn { round: round.number, side: round.side, text });
            turn.steps.iter().for_each(|&action| position.apply(action));
            if position.at_turn_start() {
                position.set_repetitions(0);
            }
        }
        written
    }
}

/// Whether a position text is the variant's standard start.
pub(super) fn is_standard_start(variant: &Variant, text: &str) -> bool {
    struct Standard<'a>(&'a str);
    impl VariantVisitor for Standard<'_> {
        type Output = bool;

        fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> bool {
            G::standard_start(&rules).fen() == self.0
        }
    }
    variant.dispatch(Standard(text))
}
