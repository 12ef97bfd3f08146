//! What a match has shown.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use heng_env::Side;
use serde::Serialize;

use super::record::{Cause, GameRecord};
use super::sprt::SprtReport;
use crate::stats::{Decision, EloInterval, Estimate, Interval, Method, PairCounts, PairStatistics};

/// The version of `match.json`.
const FORMAT: u32 = 1;

/// Below this share of different games, the games tell less than their number says.
const DISTINCT_SHARE_MIN: f64 = 0.75;

/// Forfeits that are told one by one.
const FORFEITS_SHOWN: usize = 10;

/// Games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Adds a game that gave `half_points`, 0 to 2.
    pub fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    fn of(half_points: impl Iterator<Item = usize>) -> Tally {
        let mut tally = Tally::default();
        half_points.for_each(|half_points| tally.add(half_points));
        tally
    }
}

/// A match as it was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct MatchHeader {
    /// The variant with its settings.
    pub variant: String,
    /// The two players, with the numbers of their nets.
    pub players: [String; 2],
    /// Where the openings come from.
    pub openings: String,
    /// Where all random numbers come from.
    pub seed: u64,
    /// Games that were to be played.
    pub games_wanted: usize,
    /// The time that players had, if it was limited.
    pub time: Option<String>,
}

/// The result of a match. Points, wins and scores are those of the first player.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// The version of this format.
    pub format: u32,
    /// What was asked for.
    #[serde(flatten)]
    pub header: MatchHeader,
    /// Games of complete pairs.
    pub games: usize,
    /// All games.
    #[serde(flatten)]
    pub total: Tally,
    /// What the pairs say about strength; nothing if none is complete.
    #[serde(flatten)]
    pub estimate: Option<Estimate>,
    /// Normalized Elo and the like; nothing if no pair is complete.
    #[serde(flatten)]
    pub statistics: Option<PairStatistics>,
    /// The sequential test, if the match was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
    /// Pairs by points: 0, ½, 1, 1½, 2.
    pub pairs: PairCounts,
    /// The games in which the first player was red.
    pub as_red: Tally,
    /// The games in which the first player was the other side.
    pub as_black: Tally,
    /// Games that red won, whoever played it.
    pub red_wins: usize,
    /// Games that the other side won.
    pub black_wins: usize,
    /// Games that differ in start or turns.
    pub distinct_games: usize,
    /// Openings that differ.
    pub distinct_openings: usize,
    /// Mean length of a game in turns, its opening included.
    pub mean_turns: f64,
    /// Mean length of a game in steps.
    pub mean_steps: f64,
    /// Games by the reason of their end.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Games that were not lost by the rules.
    pub forfeits: Vec<FoundForfeit>,
}

/// A game that a player lost because it did not play on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundForfeit {
    /// The number of the game, from 1 as in the files.
    pub game: usize,
    /// 0 for the first player, 1 for the second.
    pub player: usize,
    /// The word for the cause.
    pub cause: &'static str,
    /// What happened.
    pub detail: String,
}

impl FoundForfeit {
    fn of(record: &GameRecord) -> Option<FoundForfeit> {
        let ending = record.ending.as_ref()?;
        let Cause::Forfeit(forfeit) = &ending.cause else { return None };
        let player = usize::from(record.half_points_of_first() != 0);
        Some(FoundForfeit { game: record.number + 1, player, cause: ending.word(), detail: forfeit.to_string() })
    }
}

impl MatchReport {
    /// The result of `records`, the games of complete pairs in order.
    pub fn new(header: MatchHeader, records: &[GameRecord]) -> MatchReport {
        let mut pairs = PairCounts::default();
        records.chunks(2).for_each(|pair| pairs.add(pair.iter().map(GameRecord::half_points_of_first).sum()));
        let half_points = |side: Option<Side>| {
            let games = records.iter().filter(move |record| side.is_none_or(|side| record.side_of_first() == side));
            Tally::of(games.map(GameRecord::half_points_of_first))
        };
        let wins_of = |side| records.iter().filter(|record| record.winner() == Some(side)).count();
        let mut reasons = BTreeMap::new();
        for ending in records.iter().filter_map(|record| record.ending.as_ref()) {
            *reasons.entry(ending.word()).or_default() += 1;
        }
        let games: HashSet<_> = records.iter().map(|record| (&record.start, &record.turns[..])).collect();
        let openings: HashSet<_> =
            records.iter().map(|record| (&record.start, &record.turns[..record.opening_turns])).collect();
        MatchReport {
            format: FORMAT,
            header,
            games: records.len(),
            total: half_points(None),
            estimate: pairs.estimate(),
            statistics: PairStatistics::of(&pairs),
            sprt: None,
            pairs,
            as_red: half_points(Some(Side::Red)),
            as_black: half_points(Some(Side::Black)),
            red_wins: wins_of(Side::Red),
            black_wins: wins_of(Side::Black),
            distinct_games: games.len(),
            distinct_openings: openings.len(),
            mean_turns: mean(records.iter().map(|record| record.turns.len())),
            mean_steps: mean(records.iter().map(|record| record.steps.len())),
            reasons,
            forfeits: records.iter().filter_map(FoundForfeit::of).collect(),
        }
    }

    /// What a reader should know before believing the interval.
    pub fn warning(&self) -> Option<String> {
        let is_varied = self.distinct_games as f64 >= DISTINCT_SHARE_MIN * self.games as f64;
        (!is_varied).then(|| {
            format!(
                "only {} of {} games differ: the interval is too narrow, use more openings (--openings random:K)",
                self.distinct_games, self.games
            )
        })
    }

    /// Writes the result for people.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_text(&self, side_names: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
        let [first, second] = &self.header.players;
        let time = self.header.time.as_ref().map_or_else(String::new, |time| format!(", {time}"));
        writeln!(out, "{first} against {second}, {}{time}, seed {}", self.header.variant, self.header.seed)?;
        writeln!(out, "games     {}", self.games_line())?;
        writeln!(out, "result    {}", in_words(self.total))?;
        if !self.forfeits.is_empty() {
            let (count, games) = (self.forfeits.len(), self.games);
            writeln!(
                out,
                "forfeits  {count} of {games} games were given up, not played out: they say little of strength"
            )?;
        }
        if let Some(estimate) = &self.estimate {
            write_estimate(estimate, out)?;
        }
        if let Some(PairStatistics { nelo: Some(nelo), nelo_error_95: Some(error), .. }) = self.statistics {
            writeln!(out, "nelo      {nelo:+.0} ± {error:.0}, the difference in units of how much games vary")?;
        }
        if let Some(sprt) = &self.sprt {
            writeln!(out, "llr       {sprt}")?;
        }
        let [red, black] = side_names;
        writeln!(out, "pairs     {}", self.pairs_line())?;
        if let Some(PairStatistics { draw_ratio, pairs_ratio, .. }) = self.statistics {
            let pairs_ratio = pairs_ratio.map_or_else(|| "infinite".to_owned(), |ratio| format!("{ratio:.2}"));
            let counts = self.pairs.0;
            writeln!(out, "          {counts:?}, draw ratio {:.2} %, pairs ratio {pairs_ratio}", 100.0 * draw_ratio)?;
        }
        writeln!(out, "as {red:<7}{}", in_words(self.as_red))?;
        writeln!(out, "as {black:<7}{}", in_words(self.as_black))?;
        let draws = self.total.draws;
        writeln!(out, "colours   {red} won {}, {black} won {}, drawn {draws}", self.red_wins, self.black_wins)?;
        writeln!(out, "length    {:.1} turns, {:.1} steps in the mean", self.mean_turns, self.mean_steps)?;
        let reasons: Vec<String> = self.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(out, "ended by  {}", reasons.join(", "))?;
        self.write_forfeits(out)
    }

    fn write_forfeits(&self, out: &mut dyn Write) -> io::Result<()> {
        for FoundForfeit { game, player, detail, .. } in self.forfeits.iter().take(FORFEITS_SHOWN) {
            writeln!(out, "forfeit   game {game}: {} {detail}", self.header.players[*player])?;
        }
        match self.forfeits.len().saturating_sub(FORFEITS_SHOWN) {
            0 => Ok(()),
            more => writeln!(out, "          and {more} more, which --json lists"),
        }
    }

    fn games_line(&self) -> String {
        let openings = format!("{} ({})", counted(self.distinct_openings, "opening"), self.header.openings);
        let is_decided = self.sprt.is_some_and(|sprt| sprt.decision != Decision::Undecided);
        let unfinished = match self.header.games_wanted - self.games {
            0 => String::new(),
            _ if is_decided => format!(", enough for the test, which had {}", self.header.games_wanted),
            1 => ", 1 more was not played to the end".to_owned(),
            missing => format!(", {missing} more were not played to the end"),
        };
        format!("{} of which {} differ, from {openings}{unfinished}", self.games, self.distinct_games)
    }

    fn pairs_line(&self) -> String {
        let [none, half, one, more, both] = self.pairs.0;
        format!("{none} with 0 points, {half} with ½, {one} with 1, {more} with 1½, {both} with 2")
    }
}

fn in_words(tally: Tally) -> String {
    format!("{} won, {} drawn, {} lost", tally.wins, tally.draws, tally.losses)
}

fn write_estimate(estimate: &Estimate, out: &mut dyn Write) -> io::Result<()> {
    let Interval { low, high } = estimate.score_95;
    let score = 100.0 * estimate.score;
    writeln!(out, "score     {score:.1} %, 95 % interval {:.1} to {:.1} %", 100.0 * low, 100.0 * high)?;
    writeln!(out, "elo       {}", elo_in_words(estimate))?;
    let method = match estimate.method {
        Method::Pentanomial => "pentanomial",
        Method::Wilson => "Wilson, by pairs: too few games or points for a normal distribution",
    };
    writeln!(out, "          {:.1} % likely to be the stronger one (intervals: {method})", 100.0 * estimate.los)
}

fn elo_in_words(estimate: &Estimate) -> String {
    let end = |bound: Option<f64>| bound.map_or_else(|| "no bound".to_owned(), |bound| format!("{bound:+.0}"));
    let EloInterval { low, high } = estimate.elo_95;
    match estimate.elo {
        Some(elo) => {
            let error = estimate.elo_error_95().map_or_else(String::new, |error| format!(" ± {error:.0}"));
            format!("{elo:+.0}{error}, 95 % interval {} to {}", end(low), end(high))
        }
        None if estimate.score > 0.5 => {
            format!("above {} (95 % bound): nothing was lost, so there is no upper bound", end(low))
        }
        None => format!("below {} (95 % bound): nothing was won, so there is no lower bound", end(high)),
    }
}

/// A count with its noun in the right number.
fn counted(count: usize, singular: &str) -> String {
    if count == 1 { format!("1 {singular}") } else { format!("{count} {singular}s") }
}

fn mean(values: impl ExactSizeIterator<Item = usize>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<usize>() as f64 / count
}
