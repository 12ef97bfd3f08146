//! Time in matches: how much a player has, and whether its flag has fallen.

use std::fmt;
use std::io::Write;
use std::str::FromStr;
use std::time::{Duration, Instant};

use heng_env::Side;

use crate::agent::{AgentSpec, Clock, Forfeit, Thinking, ThinkingLimits, Time};
use crate::interrupt::Interrupt;

/// What a player keeps back so that its answer is on time.
const OVERHEAD: Duration = Duration::from_millis(5);

/// The longest time that may be asked for: a day.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The longest time for a turn, in milliseconds.
const MOVETIME_MAX: u64 = LONGEST.as_secs() * 1000;

/// The options of commands whose players may be on the clock.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TimeArgs {
    /// Give the players this many milliseconds for a turn, in place of their own limits
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=MOVETIME_MAX), conflicts_with = "tc")]
    movetime: Option<u64>,
    /// Give them minutes for the game and seconds for each turn, as in 1+0.5 or 5; who runs out of time loses
    #[arg(long, value_name = "MINUTES+INCREMENT")]
    tc: Option<TimeControl>,
    /// How many milliseconds a clock may be passed before its flag falls
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=MOVETIME_MAX))]
    time_margin: u64,
}

impl TimeArgs {
    /// The time that players have, if it is limited.
    pub fn control(&self) -> Option<TimeControl> {
        self.movetime.map(TimeControl::of_milliseconds).or(self.tc)
    }

    /// The same with how far a flag may be passed.
    pub fn limits(&self) -> Option<(TimeControl, Duration)> {
        self.control().map(|control| (control, Duration::from_millis(self.time_margin)))
    }
}

/// Says on stderr which players are the same on the clock.
pub(crate) fn warn_of_same_players<'a>(agents: impl IntoIterator<Item = &'a AgentSpec>) {
    let agents: Vec<&AgentSpec> = agents.into_iter().collect();
    for (index, first) in agents.iter().enumerate() {
        for second in agents[index + 1..].iter().filter(|second| first.is_same_in_time(second)) {
            // A closed stderr must not keep the report back.
            let _ = writeln!(
                std::io::stderr(),
                "warning: on the clock `{first}` and `{second}` are the same player: time takes the place of their own limits"
            );
        }
    }
}

/// How much time a player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// For each turn.
    Turn(Duration),
    /// For the game, and on top of it for each turn.
    Game {
        /// What the clock shows at the start.
        base: Duration,
        /// What a turn adds.
        increment: Duration,
    },
}

impl TimeControl {
    /// So many milliseconds for each turn.
    pub fn of_milliseconds(milliseconds: u64) -> TimeControl {
        TimeControl::Turn(Duration::from_millis(milliseconds))
    }
}

impl FromStr for TimeControl {
    type Err = String;

    /// Reads `MINUTES+INCREMENT`: minutes for the game, seconds for each turn.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let read = |what: &str, text: &str, unit: f64| {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
            let time = number.and_then(|number| Duration::try_from_secs_f64(number * unit).ok());
            let most = LONGEST.as_secs_f64() / unit;
            let time = time.filter(|time| *time <= LONGEST);
            time.ok_or_else(|| format!("{what} is `{text}`, expected a number from 0 to {most}, as in 5 or 0.5+2"))
        };
        let base = read("number of minutes", minutes, 60.0)?;
        let increment = read("increment", seconds, 1.0)?;
        if base.is_zero() {
            return Err(format!("number of minutes is `{minutes}`, expected more than 0"));
        }
        Ok(TimeControl::Game { base, increment })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Turn(time) => write!(out, "{} ms a turn", time.as_millis()),
            TimeControl::Game { base, increment } => {
                write!(out, "{}+{}", base.as_secs_f64() / 60.0, increment.as_secs_f64())
            }
        }
    }
}

/// The clocks of one game.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    control: TimeControl,
    /// How far a flag may be passed: time that the machine takes, not the player.
    margin: Duration,
    left: [Duration; 2],
    /// The thinking about the present turn, once it has begun.
    thinking: Option<Thinking>,
    spent_on_turn: Duration,
}

impl GameClock {
    /// The clocks of a game that begins.
    pub(super) fn new(control: TimeControl, margin: Duration) -> GameClock {
        let left = match control {
            TimeControl::Turn(time) => time,
            TimeControl::Game { base, .. } => base,
        };
        GameClock { control, margin, left: [left; 2], thinking: None, spent_on_turn: Duration::ZERO }
    }

    /// The thinking about the present turn of `side`, which begins now unless it has begun.
    pub(super) fn thinking(&mut self, side: Side, stop: &Interrupt) -> Thinking {
        let time = match self.control {
            TimeControl::Turn(time) => Time::Turn(time),
            TimeControl::Game { increment, .. } => {
                Time::Clock(Clock { left: self.left, increment: [increment; 2], turns_to_go: None })
            }
        };
        let limits = ThinkingLimits { time: Some(time), ..ThinkingLimits::default() };
        let begin = || Thinking::begin(limits, side.index(), OVERHEAD, stop.clone());
        self.thinking.get_or_insert_with(begin).clone()
    }

    /// Takes the time since `begun` from the clock of `side`.
    ///
    /// # Errors
    /// If the flag has fallen.
    pub(super) fn spend(&mut self, side: Side, begun: Instant) -> Result<(), Forfeit> {
        self.spent_on_turn += begun.elapsed();
        let (spent, allowed) = (self.spent_on_turn, self.left[side.index()]);
        if spent <= allowed + self.margin {
            return Ok(());
        }
        let (spent, allowed) = (spent.as_secs_f64(), allowed.as_secs_f64());
        Err(Forfeit::Time(format!("{spent:.3} s spent on a turn, {allowed:.3} s left")))
    }

    /// The turn of `side` is over; says how long it took.
    pub(super) fn end_turn(&mut self, side: Side) -> Duration {
        self.thinking = None;
        let spent = std::mem::take(&mut self.spent_on_turn);
        if let TimeControl::Game { increment, .. } = self.control {
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(spent) + increment;
        }
        spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_is_minutes_and_seconds() {
        let game = |base, increment| {
            Ok(TimeControl::Game { base: Duration::from_millis(base), increment: Duration::from_millis(increment) })
        };
        assert_eq!("1+0.5".parse(), game(60_000, 500));
        assert_eq!("0.25".parse(), game(15_000, 0));
        assert_eq!("0.25+2".parse::<TimeControl>().unwrap().to_string(), "0.25+2");
        assert_eq!(TimeControl::of_milliseconds(100).to_string(), "100 ms a turn");
        for (text, problem) in [
            ("", "number of minutes is ``, expected a number from 0 to 1440, as in 5 or 0.5+2"),
            ("0", "number of minutes is `0`, expected more than 0"),
            ("nan+1", "number of minutes is `nan`"),
            ("1+-1", "increment is `-1`, expected a number from 0 to 86400, as in 5 or 0.5+2"),
            ("1+1e300", "increment is `1e300`"),
            ("5:00", "number of minutes is `5:00`"),
        ] {
            let error = text.parse::<TimeControl>().unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
    }

    #[test]
    fn a_flag_falls_when_the_time_of_a_side_is_spent() {
        let control = "0.1+1".parse().unwrap();
        let mut clock = GameClock::new(control, Duration::from_millis(500));
        let ago = |milliseconds| Instant::now() - Duration::from_millis(milliseconds);
        assert_eq!(clock.spend(Side::Red, ago(3_000)), Ok(()));
        assert_eq!(clock.spend(Side::Red, ago(1_000)), Ok(()), "two steps of a turn");
        assert!(clock.end_turn(Side::Red) >= Duration::from_secs(4));
        assert_eq!(clock.spend(Side::Black, ago(6_100)), Ok(()), "within the margin");
        clock.end_turn(Side::Black);
        // 6 - 4 + 1 seconds are left.
        let error = clock.spend(Side::Red, ago(4_000)).unwrap_err();
        assert!(error.to_string().starts_with("ran out of time: 4.0"), "{error}");
    }

    #[test]
    fn every_turn_has_the_same_time() {
        let mut clock = GameClock::new(TimeControl::of_milliseconds(1_000), Duration::ZERO);
        let ago = |milliseconds| Instant::now() - Duration::from_millis(milliseconds);
        for _ in 0..3 {
            assert_eq!(clock.spend(Side::Red, ago(800)), Ok(()));
            clock.end_turn(Side::Red);
        }
        assert!(clock.spend(Side::Red, ago(1_100)).is_err());
    }
}
