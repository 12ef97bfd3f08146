//! What every variant is to the rest of the project: sides, outcomes, steps as policy indices, and the two traits.

use std::fmt::Debug;

use crate::diagram::Diagram;
use crate::notation::{FenError, NotationError};
use crate::seeds::Rng;

/// A player. Red moves first and stands at the bottom of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that moves first.
    Red,
    /// The other side, called green in Wuji chess.
    Black,
}

impl Side {
    /// Both sides, red first.
    pub const BOTH: [Side; 2] = [Side::Red, Side::Black];

    /// The opponent.
    pub const fn other(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }

    /// 0 for red, 1 for black.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A side reached the points to win.
    Points,
    /// The side to decide has no legal step and loses for it.
    NoStep,
    /// Checkmate.
    Mate,
    /// No legal move without being in check.
    Stalemate,
    /// A position occurred for the third time.
    Repetition,
    /// A repetition in which one side alone gave check all along.
    PerpetualCheck,
    /// A repetition in which one side alone chased all along.
    PerpetualChase,
    /// The limit on turns or quiet moves was reached.
    Limit,
    /// A side gave the game up. The rules know nothing of it: no [`Game::outcome`] has this reason.
    Resignation,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 9] = [
        Reason::Points,
        Reason::NoStep,
        Reason::Mate,
        Reason::Stalemate,
        Reason::Repetition,
        Reason::PerpetualCheck,
        Reason::PerpetualChase,
        Reason::Limit,
        Reason::Resignation,
    ];

    /// The word that `eval rules` prints and files hold.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Points => "points",
            Reason::NoStep => "no-step",
            Reason::Mate => "mate",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual-check",
            Reason::PerpetualChase => "perpetual-chase",
            Reason::Limit => "limit",
            Reason::Resignation => "resignation",
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why the game is over.
    pub reason: Reason,
}

impl Outcome {
    /// `side` has won.
    pub const fn win(side: Side, reason: Reason) -> Outcome {
        Outcome { winner: Some(side), reason }
    }

    /// Nobody has won.
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// Static facts about a variant: all that the network, replay and statistics need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Files of the board, left to right.
    pub files: usize,
    /// Ranks of the board, bottom to top.
    pub ranks: usize,
    /// Planes that [`Game::encode`] writes.
    pub input_planes: usize,
    /// Policy planes after the move planes: returns, drops, and one placement plane per kind.
    pub hand_planes: usize,
}

impl Shape {
    /// Squares of the board.
    pub const fn squares(&self) -> usize {
        self.files * self.ranks
    }

    /// Values of one encoded position, `[planes, ranks, files]`.
    pub const fn input_len(&self) -> usize {
        self.input_planes * self.squares()
    }

    /// Size of the policy: `(squares + hand_planes) * squares`.
    pub const fn action_count(&self) -> usize {
        (self.squares() + self.hand_planes) * self.squares()
    }

    const fn turned_square(&self, square: usize) -> usize {
        (self.ranks - 1 - square / self.files) * self.files + square % self.files
    }
}

/// One step, as an index into the policy head: `plane * squares + square`, as seen by the side to act.
///
/// Planes `0..squares` are moves: the plane is the start square, the square the end. The planes after them are the
/// variant's hand planes. Squares are counted rank by rank from the actor's own left corner: for black, ranks are turned
/// over, so that the same pattern has the same index for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action(u16);

impl Action {
    /// The step with this policy index.
    pub const fn new(index: usize) -> Action {
        debug_assert!(index <= u16::MAX as usize);
        Action(index as u16)
    }

    /// The policy index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The same step with its squares counted as the other side sees the board: ranks turned over, files and hand planes as
    /// they are. Turned twice it is itself again.
    #[must_use]
    pub const fn turned(self, shape: &Shape) -> Action {
        let squares = shape.squares();
        let (plane, square) = (self.index() / squares, self.index() % squares);
        let plane = if plane < squares { shape.turned_square(plane) } else { plane };
        Action::new(plane * squares + shape.turned_square(square))
    }
}

/// The rules of one variant, as search, learning and measuring see them.
///
/// The laws that tie the methods together are in [`crate::conformance`], which every registered variant obeys.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// What stays fixed during a game: the set-up, limits and other settings of the variant.
    type Rules: Clone + Debug + Send + Sync + 'static;

    /// A new game. The generator chooses the set-up where the variant leaves it to chance.
    fn start(rules: &Self::Rules, rng: &mut Rng) -> Self;

    /// The start that stands for the variant in tables and vectors; the only one where nothing is left to chance.
    fn standard_start(rules: &Self::Rules) -> Self;

    /// Whether [`Game::start`] leaves the set-up to chance, so that games differ from their first turn.
    fn has_random_start(rules: &Self::Rules) -> bool;

    /// Every position that [`Game::start`] may begin with, each once and always in the same order.
    fn all_starts(rules: &Self::Rules) -> Vec<Self> {
        vec![Self::standard_start(rules)]
    }

    /// The sizes that the network and the replay files need; the same for every position of a variant.
    fn shape(rules: &Self::Rules) -> Shape;

    /// The settings this game is played under.
    fn rules(&self) -> &Self::Rules;

    /// The side that decides next. It may stay the same after [`Game::apply`]: a turn has several steps.
    fn side_to_act(&self) -> Side;

    /// Whether the next step is the first one of a turn.
    fn at_turn_start(&self) -> bool;

    /// Turns completed so far, placement turns included, as the position itself counts them.
    fn turns_played(&self) -> usize;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Clears `actions` and fills it with every legal step, once each and in ascending order; it stays empty exactly when
    /// [`Game::outcome`] is `Some`.
    ///
    /// The order is that of the actor's own view of the board, so whoever takes the first of equals favours no colour.
    fn legal_actions(&self, actions: &mut Vec<Action>);

    /// How many steps are legal, where counting is quicker than making the list.
    fn legal_count(&self) -> usize {
        let mut actions = Vec::new();
        self.legal_actions(&mut actions);
        actions.len()
    }

    /// One legal step, where finding it is quicker than making the list. `choose` is told how many there are and answers
    /// with an index into [`Game::legal_actions`]. Nothing if the game is over, or if the index is too large.
    fn pick_action(&self, choose: impl FnOnce(usize) -> usize) -> Option<Action> {
        let mut actions = Vec::new();
        self.legal_actions(&mut actions);
        if actions.is_empty() { None } else { actions.get(choose(actions.len())).copied() }
    }

    /// Plays a step, which must be legal; debug builds assert it.
    fn apply(&mut self, action: Action);

    /// Steps that win the game at once for the side to act, as far as the variant finds them for less than it takes to try all
    /// steps; clears and fills. None is always a right answer, a step that does not win never is.
    fn winning_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
    }

    /// Steps after which the other side is to act and has a step that wins the game at once, as far as the variant finds them for
    /// less than it takes to evaluate a position; clears and fills, in ascending order. None is always a right answer, a step that
    /// does not lose so never is.
    fn losing_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
    }

    /// Writes every value of `planes`, `[input_planes, ranks, files]`, as seen by the side to act: own side at the
    /// bottom.
    ///
    /// # Panics
    /// If `planes` is not [`Shape::input_len`] long.
    fn encode(&self, planes: &mut [f32]);

    /// Equal keys: equal planes and equal legal actions.
    fn key(&self) -> u64;

    /// The left-right reflection, which commutes with `apply`, `legal_actions` and `encode`.
    fn mirrored(&self) -> Self;

    /// The step that does in the reflected position what `action` does here.
    fn mirror_action(rules: &Self::Rules, action: Action) -> Action;

    /// Earlier occurrences of this position in the game, as far as its planes show them.
    fn repetitions(&self) -> u8;

    /// Stands for the history of a position that is read back from its text: it has occurred `count` times before.
    fn set_repetitions(&mut self, count: u8);

    /// The same position with repetition and the turn and quiet-move limits switched off, as perft counts.
    fn without_draw_rules(&self) -> Self;

    /// Red's lead on the scoreboard, scaled to -1..=1; what the auxiliary score head of the network learns to foresee.
    fn red_lead(&self) -> f32;

    /// A quick static value for alpha-beta search, in hundredths of a typical piece, for the side to act.
    fn heuristic(&self) -> i32;
}

/// A game explained in a few lines, each of them ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The rules in short.
    pub rules: &'static str,
    /// How steps and turns are written.
    pub writing: &'static str,
}

/// The texts of a variant, in both directions.
pub trait Notation: Game {
    /// What a person who does not know the game reads first.
    const SUMMARY: Summary;

    /// What a side is called: `red`, `black` or `green`.
    fn side_name(side: Side) -> &'static str;

    /// Reads a position text.
    ///
    /// # Errors
    /// If the text does not describe a position that the rules allow; the error names the field and why.
    fn from_fen(rules: &Self::Rules, text: &str) -> Result<Self, FenError>;

    /// The position text.
    fn fen(&self) -> String;

    /// The text of one step, which must be legal.
    fn step_text(&self, action: Action) -> String;

    /// Reads one step.
    ///
    /// # Errors
    /// If the text is no step or the step is not legal here.
    fn parse_step(&self, text: &str) -> Result<Action, NotationError>;

    /// The written form of a whole turn that starts here, suffix included.
    fn turn_text(&self, steps: &[Action]) -> String;

    /// How the players of the game write the turn, where that is another form than [`Notation::turn_text`].
    fn players_text(&self, steps: &[Action]) -> Option<String> {
        let _ = steps;
        None
    }

    /// Reads a whole written turn that starts here into its steps.
    ///
    /// # Errors
    /// If the text is no turn, the turn is not legal here, or its suffix is wrong.
    fn parse_turn(&self, text: &str) -> Result<Vec<Action>, NotationError>;

    /// The board as something to draw, red at the bottom.
    fn diagram(&self) -> Diagram;
}
