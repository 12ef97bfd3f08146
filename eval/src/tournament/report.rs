//! What a tournament has shown.

use std::io::{self, Write};

use heng_env::Side;
use serde::Serialize;

use super::Settings;
use super::folder::Pairs;
use crate::csv::quoted;
use crate::stats::Z95;
use crate::stats::bradley_terry::{Anchor, Covariance, RatedGame, Rating, RatingModel, Ratings, rate};

/// The version of `report.json`.
const FORMAT: u32 = 1;

/// The games of one agent against another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Games the agent of the row won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games it lost.
    pub losses: u64,
}

impl Score {
    fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    pub(super) fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// The result of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentReport {
    /// The version of this format.
    pub format: u32,
    /// What was asked for.
    #[serde(flatten)]
    pub settings: Settings,
    /// Games of complete pairs.
    pub games_played: usize,
    /// Agents by rating, the best first; by points where there are no ratings.
    pub ranking: Vec<usize>,
    /// The ratings; none if the games do not allow any.
    pub ratings: Option<Ratings>,
    /// Why there are no ratings.
    pub no_ratings: Option<String>,
    /// The scores of each agent, in rows, against each other one.
    pub cross_table: Vec<Vec<Score>>,
}

impl TournamentReport {
    /// The result of finished pairs, with 0 for the rating of `anchor` or else for the mean.
    pub(super) fn new(settings: Settings, pairs: &Pairs, anchor: Option<usize>) -> TournamentReport {
        let count = settings.agents.len();
        let mut cross_table = vec![vec![Score::default(); count]; count];
        let mut games = Vec::new();
        for (cluster, pair) in pairs.values().enumerate() {
            let [one, other] = pair.agents;
            for (half_points, first, second) in
                [(pair.games[0].half_points, one, other), (2 - pair.games[1].half_points.min(2), other, one)]
            {
                cross_table[first][second].add(half_points);
                cross_table[second][first].add(2 - half_points.min(2));
                // Red moves first, and is the first agent in the first game and the second one in the second.
                games.push(RatedGame { first, second, half_points, cluster });
            }
        }
        let anchor = anchor.map_or(Anchor::Mean, |player| Anchor::Player { player, elo: 0.0 });
        let rated = rate(&settings.agents, &games, &RatingModel { anchor, ..RatingModel::default() });
        let (ratings, no_ratings) = match rated {
            Ok(ratings) => (Some(ratings), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let points = |agent: usize| cross_table[agent].iter().map(Score::points).sum::<f64>();
        let strength =
            |agent: usize| ratings.as_ref().map_or_else(|| points(agent), |ratings| ratings.players[agent].elo.value);
        let mut ranking: Vec<usize> = (0..count).collect();
        ranking.sort_by(|&one, &other| strength(other).total_cmp(&strength(one)));
        let games_played = games.len();
        TournamentReport { format: FORMAT, settings, games_played, ranking, ratings, no_ratings, cross_table }
    }

    /// The ratings as a table of comma-separated values.
    pub fn ratings_csv(&self) -> String {
        let mut text = String::from("rank,agent,elo,error,low_95,high_95,games,points\n");
        for (index, &agent) in self.ranking.iter().enumerate() {
            let (games, points) = self.total(agent);
            let elo = self.rating(agent).map_or_else(
                || ",,,".to_owned(),
                |Rating { elo, .. }| {
                    format!("{:.2},{:.2},{:.2},{:.2}", elo.value, elo.error, elo.interval_95.low, elo.interval_95.high)
                },
            );
            text += &format!("{},{},{elo},{games},{points}\n", index + 1, quoted(&self.settings.agents[agent]));
        }
        text
    }

    /// Every two agents that have met, with their score.
    pub fn cross_table_csv(&self) -> String {
        let mut text = String::from("agent,opponent,wins,draws,losses\n");
        for &agent in &self.ranking {
            for &opponent in self.ranking.iter().filter(|&&opponent| self.cross_table[agent][opponent].games() > 0) {
                let Score { wins, draws, losses } = self.cross_table[agent][opponent];
                let [agent, opponent] = [agent, opponent].map(|agent| quoted(&self.settings.agents[agent]));
                text += &format!("{agent},{opponent},{wins},{draws},{losses}\n");
            }
        }
        text
    }

    /// Writes the result for people.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_text(&self, side_names: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
        let Settings { variant, agents, gauntlet, games, openings, seed, time } = &self.settings;
        let time = time.as_ref().map_or_else(String::new, |time| format!(", {time}"));
        let kind = if *gauntlet { "gauntlet" } else { "round robin" };
        let total = self.settings.pairings().len() * games;
        writeln!(out, "{kind} of {} agents, {variant}, {games} games a pairing{time}, seed {seed}", agents.len())?;
        writeln!(out, "games     {} of {total}, from openings {openings}", self.games_played)?;
        if let Some(ratings) = &self.ratings {
            write_model(ratings, side_names[Side::Red.index()], out)?;
        }
        if let Some(problem) = &self.no_ratings {
            writeln!(out, "ratings   none: {problem}")?;
        }
        self.write_ranking(out)?;
        self.write_matrix("points of the row against the column", out, |row, column| {
            let score = self.cross_table[row][column];
            (score.games() > 0).then(|| format!("{:.1}", score.points()))
        })?;
        let Some(Ratings { superiority, .. }) = &self.ratings else { return Ok(()) };
        self.write_matrix("likelihood in percent that the row is stronger than the column", out, |row, column| {
            (row != column).then(|| format!("{:.1}", 100.0 * superiority[row][column]))
        })
    }

    fn rating(&self, agent: usize) -> Option<&Rating> {
        self.ratings.as_ref().map(|ratings| &ratings.players[agent])
    }

    pub(super) fn total(&self, agent: usize) -> (u64, f64) {
        let row = &self.cross_table[agent];
        (row.iter().map(Score::games).sum(), row.iter().map(Score::points).sum())
    }

    fn write_ranking(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.settings.agents.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
        writeln!(
            out,
            "\n{:>4}  {:<width$}  {:>6}  {:^16}  {:>6}  {:>8}  {:>6}",
            "", "agent", "elo", "95 %", "games", "points", "score"
        )?;
        for (index, &agent) in self.ranking.iter().enumerate() {
            let (games, points) = self.total(agent);
            let (elo, interval) = self.rating(agent).map_or_else(Default::default, |Rating { elo, .. }| {
                let interval = format!("{:+.0} to {:+.0}", elo.interval_95.low, elo.interval_95.high);
                (format!("{:+.0}", elo.value + 0.0), if elo.error > 0.0 { interval } else { "anchor".to_owned() })
            });
            let name = &self.settings.agents[agent];
            let score = 100.0 * points / games.max(1) as f64;
            let rank = index + 1;
            writeln!(
                out,
                "{rank:>4}  {name:<width$}  {elo:>6}  {interval:^16}  {games:>6}  {points:>8.1}  {score:>4.1} %"
            )?;
        }
        Ok(())
    }

    /// A table with a row and a column for each agent, both by rank.
    fn write_matrix(
        &self,
        title: &str,
        out: &mut dyn Write,
        cell: impl Fn(usize, usize) -> Option<String>,
    ) -> io::Result<()> {
        writeln!(out, "\n{title}")?;
        let heads: String = (1..=self.ranking.len()).map(|rank| format!(" {rank:>7}")).collect();
        writeln!(out, "    {heads}")?;
        for (index, &row) in self.ranking.iter().enumerate() {
            let cells = self.ranking.iter().map(|&column| cell(row, column).unwrap_or_else(|| "-".to_owned()));
            let cells: String = cells.map(|cell| format!(" {cell:>7}")).collect();
            writeln!(out, "{:>4}{cells}", index + 1)?;
        }
        Ok(())
    }
}

fn write_model(ratings: &Ratings, red: &str, out: &mut dyn Write) -> io::Result<()> {
    if let Some(first_mover) = &ratings.first_mover {
        let (value, error) = (first_mover.value, Z95 * first_mover.error);
        writeln!(out, "{red:<10}{value:+.0} ± {error:.0} Elo for the side that moves first")?;
    }
    writeln!(out, "draws     {:.1} % of the games between equals", 100.0 * ratings.draw_share)?;
    let errors = match ratings.covariance {
        Covariance::Robust => "by pairs of games",
        Covariance::Information if ratings.prior => "as if all games were independent, because of the prior",
        Covariance::Information => "as if all games were independent: too few pairs for more",
    };
    writeln!(out, "errors    {errors}")?;
    if ratings.prior {
        writeln!(
            out,
            "prior     half a draw added where all was won or lost, without which ratings would have no end"
        )?;
    }
    Ok(())
}
