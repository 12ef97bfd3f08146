//! What a suite has shown.

use std::io::{self, Write};

use heng_mcts::ladder::Rating;
use serde::Serialize;

/// The version of `report.json`.
const FORMAT: u32 = 1;

/// The games of an agent against a rung.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RungScore {
    /// The rung's agent.
    pub agent: String,
    /// Its rating.
    pub elo: f64,
    /// Games the rated agent won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games it lost.
    pub losses: u64,
}

impl RungScore {
    /// The games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// An agent on a ladder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteRow {
    /// The name of the variant.
    pub variant: String,
    /// The agent, with the number of its net.
    pub agent: String,
    /// Its rating; nothing if no pair of games is complete.
    pub rating: Option<Rating>,
    /// The rungs it has played.
    pub rungs: Vec<RungScore>,
}

impl SuiteRow {
    /// Points of all its games, and the games.
    pub fn points(&self) -> (f64, u64) {
        let points = self.rungs.iter().map(|rung| rung.wins as f64 + rung.draws as f64 / 2.0).sum();
        (points, self.rungs.iter().map(RungScore::games).sum())
    }

    /// The rungs and the games against each.
    pub(super) fn against(&self) -> String {
        let rungs = self.rungs.iter().map(|rung| format!("{} ({})", rung.agent, rung.games()));
        rungs.collect::<Vec<_>>().join(", ")
    }

    /// The rating for people; a star marks one that only a prior keeps finite.
    pub(super) fn elo_in_words(&self) -> String {
        self.rating.map_or_else(
            || "-".to_owned(),
            |rating| format!("{:+.0}{}", rating.elo + 0.0, if rating.is_bounded_by_prior { "*" } else { "" }),
        )
    }

    pub(super) fn interval_in_words(&self) -> String {
        self.rating.map_or_else(String::new, |rating| format!("{:+.0} to {:+.0}", rating.low, rating.high))
    }
}

/// What the star of a rating stands for.
pub(super) const STAR: &str =
    "* all games were won, or all lost: half a draw was added, without which the rating would have no end";

/// The result of a suite.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteReport {
    /// The version of this format.
    pub format: u32,
    /// Where all random numbers come from.
    pub seed: u64,
    /// Games that each agent was to play on each ladder.
    pub games: usize,
    /// The ratings, by variant and then the best first.
    pub rows: Vec<SuiteRow>,
    /// What could not be played, and why.
    pub left_out: Vec<String>,
}

impl SuiteReport {
    pub(super) fn new(seed: u64, games: usize, mut rows: Vec<SuiteRow>, left_out: Vec<String>) -> SuiteReport {
        let elo = |row: &SuiteRow| row.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
        rows.sort_by(|one, other| one.variant.cmp(&other.variant).then(elo(other).total_cmp(&elo(one))));
        SuiteReport { format: FORMAT, seed, games, rows, left_out }
    }

    /// How many agents there are, and on how many ladders.
    pub(super) fn counts(&self) -> (usize, usize) {
        let distinct = |mut names: Vec<&str>| {
            names.sort_unstable();
            names.dedup();
            names.len()
        };
        let agents = self.rows.iter().map(|row| row.agent.as_str()).collect();
        (distinct(agents), distinct(self.rows.iter().map(|row| row.variant.as_str()).collect()))
    }

    /// Whether the star of a rating has to be explained.
    pub(super) fn has_star(&self) -> bool {
        self.rows.iter().any(|row| row.rating.is_some_and(|rating| rating.is_bounded_by_prior))
    }

    /// The ratings as a table of comma-separated values.
    pub fn csv(&self) -> String {
        let mut text = String::from("variant,agent,elo,low_95,high_95,games,points,bounded_by_prior\n");
        for row in &self.rows {
            let (points, games) = row.points();
            let rating = row.rating.map_or_else(
                || ",,".to_owned(),
                |rating| format!("{:.2},{:.2},{:.2}", rating.elo, rating.low, rating.high),
            );
            let is_bounded = row.rating.is_some_and(|rating| rating.is_bounded_by_prior);
            let [variant, agent] = [&row.variant, &row.agent].map(|text| crate::csv::quoted(text));
            text += &format!("{variant},{agent},{rating},{games},{points},{is_bounded}\n");
        }
        text
    }

    /// Writes the result for people.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let (agents, ladders) = self.counts();
        let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let (agents, ladders) = (counted(agents, "agent"), counted(ladders, "ladder"));
        writeln!(out, "suite of {agents} on {ladders}, {} games each, seed {}", self.games, self.seed)?;
        for line in &self.left_out {
            writeln!(out, "left out  {line}")?;
        }
        let width =
            |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| text.chars().count()).max().unwrap_or(0);
        let variants = width(&mut self.rows.iter().map(|row| &row.variant)).max("variant".len());
        let agents = width(&mut self.rows.iter().map(|row| &row.agent)).max("agent".len());
        let head = ["variant", "agent", "elo", "95 %", "games", "score", "against (games)"];
        let [variant, agent, elo, interval, games, score, against] = head;
        writeln!(
            out,
            "\n{variant:<variants$}  {agent:<agents$}  {elo:>7}  {interval:^16}  {games:>6}  {score:>7}  {against}"
        )?;
        for row in &self.rows {
            let (points, games) = row.points();
            let score = 100.0 * points / games.max(1) as f64;
            let (elo, interval, against) = (row.elo_in_words(), row.interval_in_words(), row.against());
            let SuiteRow { variant, agent, .. } = row;
            writeln!(
                out,
                "{variant:<variants$}  {agent:<agents$}  {elo:>7}  {interval:^16}  {games:>6}  {score:>5.1} %  {against}"
            )?;
        }
        if self.has_star() { writeln!(out, "\n{STAR}") } else { Ok(()) }
    }
}
