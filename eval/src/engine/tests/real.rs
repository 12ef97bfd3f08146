//! Real engines, where they are installed: HoiXiangqi and Fairy-Stockfish, both packages of Debian.

use std::time::Duration;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Outcome, Purpose, Seeds, Side, Variant};
use rand::RngExt;

use crate::engine::{Clock, Engine, EngineError, EngineSpec, GameText, GoLimits, Reply};

const PATIENCE: Duration = Duration::from_secs(30);

/// Random moves lose to any engine long before this.
const MOST_TURNS: usize = 300;

const ENGINES: [&str; 4] = [
    "uci:fairy-stockfish?nodes=300",
    "ucci:fairy-stockfish?nodes=300",
    "xboard:fairy-stockfish?depth=2",
    "xboard:hoixiangqi?depth=2",
];

/// The engine, or nothing if it is not installed, which is said.
fn started(spec: &str) -> Option<Engine> {
    let spec: EngineSpec = spec.parse().unwrap();
    match Engine::start(&spec, "xiangqi") {
        Ok(engine) => Some(engine),
        Err(EngineError::NotFound { program }) => {
            println!("skipped: `{program}` is not installed");
            None
        }
        Err(error) => panic!("{spec}: {error}"),
    }
}

/// A game and what an engine is told of it.
struct Played<G> {
    position: G,
    start: String,
    is_standard_start: bool,
    turns: Vec<String>,
}

impl<G: Notation> Played<G> {
    fn new(position: G, is_standard_start: bool) -> Played<G> {
        Played { start: position.fen(), position, is_standard_start, turns: Vec::new() }
    }

    fn play(&mut self, turn: &str) {
        let steps = self.position.parse_turn(turn).unwrap_or_else(|error| panic!("{turn}: {error}"));
        assert_eq!(self.position.turn_text(&steps), turn, "in our form");
        steps.into_iter().for_each(|step| self.position.apply(step));
        self.turns.push(turn.to_owned());
    }

    /// Asks the engine; plays its move, which has to be legal.
    fn ask(&mut self, engine: &mut Engine, limits: &GoLimits) -> Option<String> {
        let red_to_act = self.position.side_to_act() == Side::Red;
        let game =
            GameText { start: &self.start, is_standard_start: self.is_standard_start, turns: &self.turns, red_to_act };
        let answer = engine.choose(&game, limits, PATIENCE, &mut |_| {});
        match answer.map(|answer| answer.reply) {
            Ok(Reply::Turn(turn)) => {
                self.play(&turn);
                Some(turn)
            }
            Ok(other) => {
                println!("{}: {other:?} in {}", engine.name(), self.position.fen());
                None
            }
            Err(failure) => panic!("{}: {failure} in {} after {:?}", engine.name(), self.start, self.turns),
        }
    }
}

/// Runs a check with positions of Xiangqi.
fn with_xiangqi(check: impl XiangqiCheck) {
    struct Visitor<C>(C);
    impl<C: XiangqiCheck> VariantVisitor for Visitor<C> {
        type Output = ();
        fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
            self.0.run::<G>(&rules);
        }
    }
    "xiangqi".parse::<Variant>().unwrap().dispatch(Visitor(check));
}

trait XiangqiCheck {
    fn run<G: Notation>(self, rules: &G::Rules);
}

struct FirstMoves;

impl XiangqiCheck for FirstMoves {
    fn run<G: Notation>(self, rules: &G::Rules) {
        std::thread::scope(|scope| {
            for spec in ENGINES {
                scope.spawn(move || first_moves::<G>(rules, spec));
            }
        });
    }
}

fn first_moves<G: Notation>(rules: &G::Rules, spec: &str) {
    let Some(mut engine) = started(spec) else { return };
    let minute = Duration::from_secs(60);
    let clock = Clock { remaining: [minute, minute], increment: Duration::ZERO };
    let short = GoLimits { movetime: Some(Duration::from_millis(50)), ..GoLimits::default() };
    let clocked = GoLimits { clock: Some(clock), depth: Some(2), ..GoLimits::default() };
    for limits in [GoLimits::default(), short, clocked] {
        engine.begin().unwrap();
        let mut game = Played::new(G::standard_start(rules), true);
        assert!(game.ask(&mut engine, &limits).is_some(), "{spec}");
        let mut game = Played::new(G::standard_start(rules), true);
        ["h3e3", "h10g8", "h1g3"].into_iter().for_each(|turn| game.play(turn));
        assert!(game.ask(&mut engine, &limits).is_some(), "{spec}");
    }
    let late = "3akab2/5n3/4b4/p3p3p/2p3N2/6P2/P3P3P/4B4/4A4/2BAK4 b - - 0 1";
    let mut game = Played::new(G::from_fen(rules, late).unwrap(), false);
    assert!(game.ask(&mut engine, &GoLimits::default()).is_some(), "{spec}");
    // A mate in one, which every engine sees: the ranks and the side are those of the text.
    let mate = "3k5/R8/9/9/9/9/9/9/9/R3K4 w - - 0 1";
    let mut game = Played::new(G::from_fen(rules, mate).unwrap(), false);
    assert!(game.ask(&mut engine, &GoLimits::default()).is_some(), "{spec}");
    assert_eq!(game.position.outcome().and_then(|outcome| outcome.winner), Some(Side::Red), "{spec}");
}

#[test]
fn real_engines_play_legal_moves_from_any_position() {
    with_xiangqi(FirstMoves);
}

struct WholeGames(&'static str);

impl XiangqiCheck for WholeGames {
    fn run<G: Notation>(self, rules: &G::Rules) {
        let Some(mut engine) = started(self.0) else { return };
        for (index, side) in Side::BOTH.into_iter().enumerate() {
            engine.begin().unwrap();
            let mut rng = Seeds::new(1).stream(Purpose::Test, index as u64);
            let mut game = Played::new(G::standard_start(rules), true);
            while game.position.outcome().is_none() && game.turns.len() < MOST_TURNS {
                if game.position.side_to_act() == side {
                    if game.ask(&mut engine, &GoLimits::default()).is_none() {
                        break;
                    }
                } else {
                    let step = game.position.pick_action(|count| rng.random_range(0..count)).unwrap();
                    let turn = game.position.turn_text(&[step]);
                    game.play(&turn);
                }
            }
            let outcome = game.position.outcome();
            println!("{} as {side:?}: {outcome:?} after {} turns", self.0, game.turns.len());
            let lost = outcome.is_some_and(|Outcome { winner, .. }| winner == Some(side.other()));
            assert!(!lost, "{}: lost against random moves: {:?}", self.0, game.turns);
        }
    }
}

#[test]
fn fairy_stockfish_plays_whole_games_in_uci() {
    with_xiangqi(WholeGames(ENGINES[0]));
}

#[test]
fn fairy_stockfish_plays_whole_games_in_ucci() {
    with_xiangqi(WholeGames(ENGINES[1]));
}

#[test]
fn fairy_stockfish_plays_whole_games_in_the_protocol_of_xboard() {
    with_xiangqi(WholeGames(ENGINES[2]));
}

#[test]
fn hoixiangqi_plays_whole_games_in_the_protocol_of_xboard() {
    with_xiangqi(WholeGames(ENGINES[3]));
}
