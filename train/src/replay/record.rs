//! One decision of a finished game: what a row of a games file holds.

use heng_env::game::{Action, Outcome, Reason, Side};
use heng_mcts::value::Wdl;

use super::error::BadValue;

/// How a step came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Chosen by a search, whose result is the training target.
    Search,
    /// Chosen by a search of fewer simulations, only to play on; not a target.
    Fast,
    /// The only legal step; nothing was searched.
    Forced,
    /// Drawn at random, so that games differ; nothing was searched.
    Random,
}

impl Choice {
    /// Every choice.
    pub const ALL: [Choice; 4] = [Choice::Search, Choice::Fast, Choice::Forced, Choice::Random];

    /// The word in a games file.
    pub const fn name(self) -> &'static str {
        match self {
            Choice::Search => "search",
            Choice::Fast => "fast",
            Choice::Forced => "forced",
            Choice::Random => "random",
        }
    }
}

/// One decision in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Steps played before this one.
    pub step: u32,
    /// Turns completed before this step.
    pub turn: u32,
    /// The position text.
    pub fen: String,
    /// Earlier occurrences of the position in its game.
    pub repetitions: u8,
    /// The side to act.
    pub side: Side,
    /// The legal steps, as policy indices seen by the side to act.
    pub actions: Vec<Action>,
    /// Target probabilities, parallel to `actions`; they sum to one.
    pub policy: Vec<f32>,
    /// The step that was played.
    pub action: Action,
    /// How it came about.
    pub choice: Choice,
    /// Chances of the side to act after the search; none where nothing was searched.
    pub root: Option<Wdl>,
}

/// One decision of a finished game. A game's records, in order, hold the whole game: forced and random steps too, with
/// weight 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Number of the game in its run.
    pub game: u64,
    /// The decision.
    pub decision: Decision,
    /// How the game ended.
    pub outcome: Outcome,
    /// Steps from this one to the end of the game, this one included. Nobody knows how long a game would have gone on that
    /// was resigned.
    pub steps_left: Option<u32>,
    /// Red's lead on the scoreboard at the end of the game, from -1 to 1; not known either if the game was resigned.
    pub red_lead: Option<f32>,
    /// Weight in the losses; 0 for what is not learnt from.
    pub weight: f32,
}

impl Record {
    /// Whether the record is learnt from.
    pub fn is_sample(&self) -> bool {
        self.weight > 0.0
    }

    /// Checks all that can be told without the rules: lengths, ranges and sums.
    ///
    /// # Errors
    /// The first column whose value is impossible.
    pub fn check(&self) -> Result<(), BadValue> {
        self.decision.check()?;
        self.check_end()?;
        if !(self.weight >= 0.0 && self.weight.is_finite()) {
            return Err(BadValue::new("weight", format!("must be a number of at least 0, found {}", self.weight)));
        }
        if self.is_sample() && self.decision.choice != Choice::Search {
            let choice = self.decision.choice.name();
            let problem = format!("must be 0 for a {choice} step, found {}", self.weight);
            return Err(BadValue::new("weight", problem));
        }
        Ok(())
    }
}

impl Record {
    /// Checks what the record says of the end of its game.
    fn check_end(&self) -> Result<(), BadValue> {
        let is_resigned = self.outcome.reason == Reason::Resignation;
        if is_resigned && self.outcome.winner.is_none() {
            return Err(BadValue::new("outcome", "must be `red` or `black` after a resignation, found `draw`"));
        }
        for (column, is_known) in [("steps_left", self.steps_left.is_some()), ("red_lead", self.red_lead.is_some())] {
            if is_known == is_resigned {
                let problem = if is_known { "is not known of a resigned game, found a number" } else { "missing" };
                return Err(BadValue::new(column, problem));
            }
        }
        if self.steps_left == Some(0) {
            return Err(BadValue::new("steps_left", "must be at least 1, found 0"));
        }
        match self.red_lead {
            Some(lead) if !(-1.0..=1.0).contains(&lead) => {
                Err(BadValue::new("red_lead", format!("must be from -1 to 1, found {lead}")))
            }
            _ => Ok(()),
        }
    }
}

impl Decision {
    fn check(&self) -> Result<(), BadValue> {
        self.check_policy()?;
        match (self.choice, self.root) {
            (Choice::Search | Choice::Fast, Some(root)) => check_root(root),
            (Choice::Search | Choice::Fast, None) => {
                Err(BadValue::new("root_win", "missing though the step was searched"))
            }
            _ => Ok(()),
        }
    }

    fn check_policy(&self) -> Result<(), BadValue> {
        if self.actions.is_empty() {
            return Err(BadValue::new("actions", "the list is empty"));
        }
        if self.policy.len() != self.actions.len() {
            let (found, expected) = (self.policy.len(), self.actions.len());
            return Err(BadValue::new("policy", format!("{found} probabilities for {expected} actions")));
        }
        if !self.actions.contains(&self.action) {
            let problem = format!("{} is not among the legal actions", self.action.index());
            return Err(BadValue::new("action", problem));
        }
        if let Some(&wrong) = self.policy.iter().find(|p| !(0.0..=1.001).contains(*p)) {
            return Err(BadValue::new("policy", format!("{wrong} is not a probability")));
        }
        let sum: f32 = self.policy.iter().sum();
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(BadValue::new("policy", format!("the probabilities sum to {sum}, not to 1")));
        }
        Ok(())
    }
}

/// Room for the rounding of single precision, and far below what would bend a target.
const SUM_TOLERANCE: f32 = 1e-3;

fn check_root(root: Wdl) -> Result<(), BadValue> {
    for (column, value) in [("root_win", root.win), ("root_draw", root.draw), ("root_loss", root.loss)] {
        if !(-SUM_TOLERANCE..=1.0 + SUM_TOLERANCE).contains(&value) {
            return Err(BadValue::new(column, format!("{value} is not a probability")));
        }
    }
    let sum = root.win + root.draw + root.loss;
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        return Err(BadValue::new("root_win", format!("win, draw and loss sum to {sum}, not to 1")));
    }
    Ok(())
}
