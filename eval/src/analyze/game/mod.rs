//! A game, turn by turn: what each was worth, and what would have been better.

mod comments;
mod curve;
mod json;
mod out;
mod page;
mod read;
mod summary;
mod text;
mod walk;

use std::io::Write;
use std::path::Path;

use heng_env::diagram::Diagram;
use heng_env::{Action, Side};
use heng_mcts::value::RedValue;

use super::AnalyzeArgs;
use super::judgement::Judgement;
use super::words::{LineTurn, told};
use crate::agent::Verdict;
use crate::bounded_lines::on_one_line;
use crate::cli::CommandResult;
use crate::draw::Trace;
use crate::game_file::SavedGame;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
pub(super) use out::OutFile;

/// A game and what an agent thinks of it.
#[derive(Clone, Debug)]
pub(super) struct Analysis {
    /// The agent as it is written.
    agent: String,
    /// What red and black are called.
    side_names: [&'static str; 2],
    game: SavedGame,
    /// The turns that are analysed: all, unless somebody has stopped it.
    turns: Vec<AnalysedTurn>,
    /// The value of the position after the last of them.
    end: Option<RedValue>,
    /// What is wrong with the rest of the game.
    error: Option<String>,
}

/// A turn and what an agent thinks of it.
#[derive(Clone, Debug)]
struct AnalysedTurn {
    side: Side,
    text: String,
    players_text: Option<String>,
    steps: Vec<Action>,
    /// The value of the position before it.
    value: Option<RedValue>,
    /// What is certain of that position, for `side`.
    verdict: Option<Verdict>,
    /// The best turn and its value; none if the agent knows nothing.
    best: Option<(LineTurn, Option<RedValue>)>,
    judgement: Judgement,
    picture: Picture,
}

/// What there is to draw of a turn.
#[derive(Clone, Debug)]
struct Picture {
    /// The position before it.
    diagram: Diagram,
    played: Vec<Trace>,
    best: Vec<Trace>,
}

impl AnalysedTurn {
    fn told(&self) -> String {
        told(&self.text, self.players_text.as_deref())
    }

    /// The best turn, where that is another one.
    fn better(&self) -> Option<&LineTurn> {
        self.best.as_ref().map(|(turn, _)| turn).filter(|_| !self.judgement.is_best)
    }

    fn symbol(&self) -> &'static str {
        self.judgement.mark.map_or("", |mark| mark.symbol())
    }
}

impl Analysis {
    fn name(&self, side: Side) -> &'static str {
        self.side_names[side.index()]
    }

    /// The values of the positions that turns begin with and of the last one, as red sees them.
    fn red_values(&self) -> Vec<Option<f32>> {
        let values = self.turns.iter().map(|turn| turn.value).chain([self.end]);
        values.map(|value| value.map(|value| value.for_side(Side::Red))).collect()
    }

    fn is_stopped(&self) -> bool {
        self.turns.len() < self.game.turns().len()
    }

    /// What the game is, in one line: variant, players and event as far as the file names them, the result.
    fn title(&self) -> String {
        let named = |tag: &str| self.game.tag(tag).map(on_one_line);
        let player = |side: Side| match named(if side == Side::Red { "Red" } else { "Black" }) {
            Some(player) => format!("{player} ({})", self.name(side)),
            None => self.name(side).to_owned(),
        };
        let event = named("Event").map_or_else(String::new, |event| format!(", {event}"));
        let result = self.game.result.text();
        let [red, black] = Side::BOTH.map(player);
        format!("{}: {red} against {black}{event}, {result}", self.game.variant())
    }
}

/// Analyses a game of the file `path`.
pub(super) fn run(
    args: &AnalyzeArgs,
    path: &Path,
    progress: &mut Progress,
    listen: impl FnOnce(&Progress) -> Result<Interrupt, ctrlc::Error>,
    output: &mut dyn Write,
) -> CommandResult {
    args.out.as_ref().map_or(Ok(()), OutFile::check_free)?;
    let agent = args.agent.load_on(&args.device.open()?)?;
    let (game, error) = read::game(path, args.number)?;
    if let (true, Some(error)) = (game.turns().is_empty(), &error) {
        // It is no game at all.
        return Err(error.to_string().into());
    }
    let effort = args.effort(listen(progress)?);
    let mut analysis = walk::analyse(game, &agent, effort, progress)?;
    analysis.error = error.as_ref().map(ToString::to_string);
    // A file that cannot be written must not cost what is printed, nor a closed output the file.
    let written = args.out.as_ref().map(|out| out.write(&analysis, args.letters).map(|()| out)).transpose();
    if args.json {
        writeln!(output, "{}", json::object(&analysis)?)?;
    } else {
        text::write(&analysis, args.letters.unwrap_or_default(), args.color.ink(), output)?;
    }
    if let (Some(out), false) = (written?, args.json) {
        writeln!(output, "wrote {out}")?;
    }
    // What was read is analysed; that there is more is told at the end.
    error.map_or(Ok(()), |error| Err(error.into()))
}
