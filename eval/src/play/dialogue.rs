//! The conversation between a person and the program, over any source of lines and any output.

use std::io::{self, Write};

use heng_env::notation::NotationError;
use heng_env::{Action, Notation, Outcome, Purpose, Reason, Rng, Seeds, Side, Variant};

use super::command::{self, COMMANDS, Command};
use super::lines::Lines;
use super::nearest::nearest;
use super::save;
use super::table::{Table, Turn};
use crate::agent::{Agent, Forfeit, Request};
use crate::draw::Letters;
use crate::draw::terminal::{self, Ink, Options};
use crate::signed::signed;
use crate::whole_file;

/// The agent's slot for the game, and the one for hints, so that asking for them does not change its play.
const GAME_SLOT: usize = 0;
const HINT_SLOT: usize = 1;

/// Most turns that are gathered to list them or to find similar ones.
const MOST_TURNS: usize = 20_000;
/// Most turns that are printed.
const MOST_TURNS_SHOWN: usize = 200;
/// Columns of printed lists.
const LIST_WIDTH: usize = 76;

/// How a game is set up.
pub(super) struct Setup<G: Notation> {
    pub(super) variant: Variant,
    pub(super) rules: G::Rules,
    /// The first position; chosen by the rules and the seed if not given.
    pub(super) start: Option<G>,
    pub(super) side: Side,
    pub(super) letters: Letters,
    pub(super) ink: Ink,
    pub(super) agent: Box<dyn Agent<G>>,
    pub(super) agent_name: String,
    pub(super) seeds: Seeds,
}

/// A person at a board.
pub(super) struct Dialogue<G: Notation, W> {
    setup: Setup<G>,
    table: Table<G>,
    view: Side,
    /// Games begun before this one.
    games: u64,
    rng: Rng,
    out: W,
}

impl<G: Notation, W: Write> Dialogue<G, W> {
    pub(super) fn new(mut setup: Setup<G>, out: W) -> Dialogue<G, W> {
        let table = Table::new(start(&setup, 0));
        setup.agent.begin(GAME_SLOT);
        let rng = setup.seeds.stream(Purpose::Match, 0);
        Dialogue { view: setup.side, setup, table, games: 0, rng, out }
    }

    /// Plays until the lines end or the person leaves.
    ///
    /// # Errors
    /// If the lines cannot be read or the output cannot be written.
    pub(super) fn run(&mut self, lines: &mut dyn Lines) -> io::Result<()> {
        let person = self.name(self.setup.side);
        let Setup { variant, agent_name, seeds, .. } = &self.setup;
        writeln!(self.out, "{variant}: you are {person}, against {agent_name}, seed {}", seeds.seed())?;
        writeln!(self.out, "type a turn, its steps one by one, `rules` or `help`")?;
        self.show_board()?;
        loop {
            self.answer()?;
            self.out.flush()?;
            let prompt = self.prompt();
            let Some(line) = lines.next_line(&prompt)? else { return writeln!(self.out) };
            match (command::parse(line.trim()), line.trim()) {
                (Some(Command::Quit), _) => return Ok(()),
                (Some(command), _) => self.obey(command)?,
                (None, "") => {}
                (None, text) => self.play(text)?,
            }
        }
    }

    fn name(&self, side: Side) -> &'static str {
        G::side_name(side)
    }

    fn names(&self) -> [&'static str; 2] {
        Side::BOTH.map(G::side_name)
    }

    fn prompt(&self) -> String {
        match self.table.pending().len() {
            _ if self.table.is_over() => "game over> ".to_owned(),
            0 => format!("{}> ", self.name(self.setup.side)),
            steps => format!("{}, step {}> ", self.name(self.setup.side), steps + 1),
        }
    }

    fn obey(&mut self, command: Command<'_>) -> io::Result<()> {
        match command {
            Command::Help => self.help(),
            Command::Rules => write!(self.out, "{}", G::SUMMARY.rules),
            Command::Board => self.show_board(),
            Command::Hint => self.hint(),
            Command::Undo => self.undo(),
            Command::Moves(prefix) => self.list_steps(prefix),
            Command::Turns(prefix) => self.list_turns(prefix),
            Command::Fen => writeln!(self.out, "{}", self.table.position().fen()),
            Command::Flip => {
                self.view = self.view.other();
                self.show_board()
            }
            Command::Letters => {
                self.setup.letters = match self.setup.letters {
                    Letters::Latin => Letters::Chinese,
                    Letters::Chinese => Letters::Latin,
                };
                self.show_board()
            }
            Command::New(side) => self.new_game(side),
            Command::Resign => self.resign(),
            Command::Save(path) => self.save(path),
            Command::Quit => Ok(()),
        }
    }

    fn help(&mut self) -> io::Result<()> {
        write!(self.out, "{}", G::SUMMARY.writing)?;
        writeln!(self.out, "besides turns and steps, these commands are understood:")?;
        for entry in COMMANDS {
            let usage = format!("{} {}", entry.name, entry.argument);
            writeln!(self.out, "  {usage:<14} {}", entry.meaning)?;
        }
        let steps = self.table.step_texts();
        if let (false, Some(step)) = (self.table.is_over(), steps.first()) {
            writeln!(self.out, "a step you can play now is `{step}`")?;
        }
        Ok(())
    }

    /// Lets the agent play, if it is its turn.
    fn answer(&mut self) -> io::Result<()> {
        let agent_side = self.setup.side.other();
        let mut first_score = None;
        while !self.table.is_over() && self.table.position().side_to_act() == agent_side {
            let starts = self.table.pending().is_empty();
            let request = Request { slot: GAME_SLOT, position: self.table.position(), rng: &mut self.rng };
            let choice = match self.setup.agent.choose(&mut [request]).remove(0) {
                Ok(choice) => choice,
                Err(forfeit) => return self.end_by(agent_side, &forfeit),
            };
            if starts {
                first_score = choice.score;
            }
            if self.advance(choice.action) {
                let text = self.table.turns().last().map_or_else(String::new, Turn::told);
                let (name, view) = (self.name(agent_side), in_words(first_score, G::side_name(agent_side)));
                writeln!(self.out, "{name} plays {text}{view}")?;
                self.show_board()?;
            }
        }
        Ok(())
    }

    /// The agent does not play on.
    fn end_by(&mut self, agent_side: Side, forfeit: &Forfeit) -> io::Result<()> {
        writeln!(self.out, "{} {forfeit}", self.setup.agent_name)?;
        self.table.resign(agent_side);
        self.show_result()
    }

    /// Plays a step and tells the agent; says whether it completed the turn.
    fn advance(&mut self, action: Action) -> bool {
        self.setup.agent.played(GAME_SLOT, action);
        self.table.play(action).is_some()
    }

    fn play(&mut self, text: &str) -> io::Result<()> {
        if self.table.is_over() {
            return writeln!(self.out, "the game is over: `new` begins another, `undo` takes back, `quit` leaves");
        }
        let steps = match self.table.parse(text) {
            Ok(steps) => steps,
            Err(error) => return self.explain(text, &error),
        };
        let mut complete = false;
        for action in steps {
            complete = self.advance(action);
        }
        if complete {
            let text = self.table.turns().last().map_or_else(String::new, Turn::told);
            writeln!(self.out, "you play {text}")?;
        }
        self.show_board()
    }

    /// Says why `text` was not accepted, and what is near it.
    fn explain(&mut self, text: &str, error: &NotationError) -> io::Result<()> {
        writeln!(self.out, "error: {error}")?;
        let word = text.split_whitespace().next().unwrap_or(text);
        let commands = COMMANDS.iter().map(|entry| entry.name);
        // Steps and turns name squares, commands do not.
        if let (false, Some(command)) =
            (word.contains(|c: char| c.is_ascii_digit()), nearest(word, commands, 1).first())
        {
            return writeln!(self.out, "did you mean `{command}`?");
        }
        let steps = self.table.step_texts();
        let turns = self.table.turn_texts(MOST_TURNS).unwrap_or_default();
        let similar = nearest(text, steps.iter().chain(&turns).map(String::as_str), 6);
        if similar.is_empty() {
            return writeln!(self.out, "`moves` lists the legal steps, `help` the commands");
        }
        writeln!(self.out, "legal here: {}", similar.join("  "))
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.table.is_over() {
            return writeln!(self.out, "the game is over");
        }
        self.setup.agent.begin(HINT_SLOT);
        let side = self.table.position().side_to_act();
        let mut position = self.table.position().clone();
        let mut steps = self.table.pending().to_vec();
        let mut rng = self.rng.clone();
        let mut score = None;
        loop {
            let request = Request { slot: HINT_SLOT, position: &position, rng: &mut rng };
            let choice = match self.setup.agent.choose(&mut [request]).remove(0) {
                Ok(choice) => choice,
                Err(forfeit) => return writeln!(self.out, "{} {forfeit}", self.setup.agent_name),
            };
            score = score.or(choice.score);
            self.setup.agent.played(HINT_SLOT, choice.action);
            position.apply(choice.action);
            steps.push(choice.action);
            if position.outcome().is_some() || position.at_turn_start() {
                break;
            }
        }
        let text = self.table.told_from_turn_start(&steps);
        let view = in_words(score, self.name(side));
        writeln!(self.out, "{} would play {text}{view}", self.setup.agent_name)
    }

    fn undo(&mut self) -> io::Result<()> {
        if !self.table.undo(self.setup.side) {
            return writeln!(self.out, "there is nothing to take back");
        }
        self.setup.agent.begin(GAME_SLOT);
        self.show_board()
    }

    fn list_steps(&mut self, prefix: &str) -> io::Result<()> {
        let mut steps = self.table.step_texts();
        steps.retain(|step| step.starts_with(prefix));
        self.list("steps", prefix, &steps)
    }

    fn list_turns(&mut self, prefix: &str) -> io::Result<()> {
        let Some(mut turns) = self.table.turn_texts(MOST_TURNS) else {
            return writeln!(self.out, "more than {MOST_TURNS} turns are legal: `moves` lists the steps");
        };
        turns.retain(|turn| turn.starts_with(prefix));
        let count = turns.len();
        turns.truncate(MOST_TURNS_SHOWN);
        self.list("turns", prefix, &turns)?;
        if count > turns.len() {
            writeln!(self.out, "and {} more: `turns TEXT` lists those that begin with TEXT", count - turns.len())?;
        }
        Ok(())
    }

    fn list(&mut self, what: &str, prefix: &str, texts: &[String]) -> io::Result<()> {
        match (texts.is_empty(), prefix) {
            (true, "") => return writeln!(self.out, "there are no legal {what}: the game is over"),
            (true, _) => return writeln!(self.out, "no legal {what} begin with `{prefix}`"),
            _ => {}
        }
        let width = texts.iter().map(String::len).max().unwrap_or(0) + 2;
        for row in texts.chunks((LIST_WIDTH / width).max(1)) {
            let cells: String = row.iter().map(|text| format!("  {text:<fill$}", fill = width - 2)).collect();
            writeln!(self.out, "{}", cells.trim_end())?;
        }
        Ok(())
    }

    fn new_game(&mut self, side: &str) -> io::Result<()> {
        if !side.is_empty() {
            let names = self.names();
            let Some(side) = command::side_of(side, names) else {
                return writeln!(self.out, "error: `{side}` is no side, expected {} or {}", names[0], names[1]);
            };
            self.setup.side = side;
            self.view = side;
        }
        self.games += 1;
        self.table = Table::new(start(&self.setup, self.games));
        self.rng = self.setup.seeds.stream(Purpose::Match, self.games);
        self.setup.agent.begin(GAME_SLOT);
        writeln!(self.out, "a new game, you are {}", self.name(self.setup.side))?;
        self.show_board()
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.table.is_over() {
            return writeln!(self.out, "the game is over");
        }
        self.table.resign(self.setup.side);
        self.show_result()
    }

    fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return writeln!(self.out, "error: expected a file name after `save`");
        }
        let mut names = ["person"; 2];
        names[self.setup.side.other().index()] = &self.setup.agent_name;
        let text = match save::text(&self.setup.variant, &self.table, names, self.setup.seeds.seed()) {
            Ok(text) => text,
            Err(error) => return writeln!(self.out, "error: {path}: {error}"),
        };
        match whole_file::create(path.as_ref(), &text) {
            Ok(()) => writeln!(self.out, "saved to {path}"),
            Err(error) => writeln!(self.out, "error: {path}: {error}"),
        }
    }

    fn show_board(&mut self) -> io::Result<()> {
        let last = self.table.last_traces();
        let options = Options {
            letters: self.setup.letters,
            ink: self.setup.ink,
            view: self.view,
            names: self.names(),
            last: &last,
        };
        let board = terminal::board(&self.table.position().diagram(), &options);
        write!(self.out, "\n{board}\n")?;
        self.show_result()
    }

    fn show_result(&mut self) -> io::Result<()> {
        if let Some(side) = self.table.resigned() {
            writeln!(self.out, "{} resigns: {} wins", self.name(side), self.name(side.other()))?;
        } else if let Some(outcome) = self.table.outcome() {
            writeln!(self.out, "{}", result_text::<G>(outcome))?;
        }
        Ok(())
    }
}

fn start<G: Notation>(setup: &Setup<G>, game: u64) -> G {
    let chosen = || G::start(&setup.rules, &mut setup.seeds.stream(Purpose::Openings, game));
    setup.start.clone().unwrap_or_else(chosen)
}

/// What a player expects, for the end of a line; nothing if it has no opinion.
fn in_words(score: Option<f32>, side: &str) -> String {
    score.map_or_else(String::new, |score| format!(" (value {} for {side})", signed(score)))
}

/// How a game ended, for a person.
pub(crate) fn result_text<G: Notation>(outcome: Outcome) -> String {
    let why = match outcome.reason {
        Reason::Points => "it reached the points to win",
        Reason::NoStep => "the other side has no legal step",
        Reason::Mate => "by mate",
        Reason::Stalemate => "there is no legal move",
        Reason::Repetition => "the position occurred for the third time",
        Reason::PerpetualCheck => "the other side checked without end",
        Reason::PerpetualChase => "the other side chased without end",
        Reason::Limit => "the limit is reached",
        Reason::Resignation => "the other side gave up",
    };
    match outcome.winner {
        Some(side) => format!("{} wins: {why}", G::side_name(side)),
        None => format!("a draw: {why}"),
    }
}
