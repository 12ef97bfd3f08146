//! A tournament from its agents to its report.

use std::error::Error;
use std::io::Write;
use std::num::NonZero;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Seeds, Side, Variant};
use rand::Rng;
use thiserror::Error;

use super::folder::{self, Pairs};
use super::ladder::{command_of, ladder_of};
use super::report::TournamentReport;
use super::{KeptPair, Settings, TournamentArgs, page};
use crate::agent::{Agent, LoadedAgent};
use crate::game_file::{Form, write_pgn};
use crate::interrupt::Interrupt;
use crate::journal::Journal;
use crate::ladder_file;
use crate::match_play::{FinishedPair, GAMES_OF_PAIR, GameHeader, Match, PlayError, STOP_NOTICE, warn_of_same_players};
use crate::openings::{Opening, OpeningSource, openings};
use crate::progress::Progress;
use crate::whole_file;

/// Why there is no result.
#[derive(Debug, Error)]
enum PlayingError {
    #[error("stopped before a pair of games was complete")]
    NothingPlayed,
    #[error("no ladder is written: {0}")]
    NoRatings(String),
    #[error("{path}: cannot write the ladder: {source}")]
    Ladder { path: String, source: std::io::Error },
}

pub(super) struct Playing<'a> {
    pub(super) args: &'a TournamentArgs,
    pub(super) agents: &'a [LoadedAgent],
    pub(super) names: Vec<String>,
    pub(super) anchor: Option<usize>,
    pub(super) output: &'a mut dyn Write,
}

impl VariantVisitor for Playing<'_> {
    type Output = Result<(), Box<dyn Error + Send + Sync>>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let Playing { args, agents, names, anchor, output } = self;
        let source = args.openings.clone().unwrap_or_else(|| OpeningSource::default_for::<G>(&rules));
        let pairs_of_pairing = args.games.div_ceil(GAMES_OF_PAIR as u64) as usize;
        let settings = Settings {
            variant: variant.to_string(),
            agents: names,
            gauntlet: args.gauntlet,
            games: GAMES_OF_PAIR * pairs_of_pairing,
            openings: source.to_string(),
            seed: args.seed,
            time: args.time.control().map(|control| control.to_string()),
        };
        if settings.time.is_some() {
            warn_of_same_players(agents.iter().map(LoadedAgent::spec));
        }
        let opened = args.out.as_deref().map(|directory| folder::open(directory, &settings)).transpose()?;
        let (mut journal, pairs) = match opened {
            Some((journal, pairs)) => (Some(journal), pairs),
            None => (None, Pairs::new()),
        };
        let total = settings.pairings().len() * settings.games;
        let mut progress = Progress::new(total, "games", args.json);
        progress.begin(GAMES_OF_PAIR * pairs.len(), total);
        let interrupt = Interrupt::listen(progress.stop_notice(STOP_NOTICE))?;
        let openings = openings::<G>(&source, &rules, pairs_of_pairing, Seeds::new(args.seed), &interrupt)?;
        let threads = args.threads.and_then(|threads| NonZero::new(usize::from(threads))).unwrap_or_else(all_cores);
        let mut tournament =
            Tournament { args, settings: &settings, openings: &openings, threads, pairs, journal: &mut journal };
        for (index, pairing) in settings.pairings().into_iter().enumerate() {
            if interrupt.is_requested() {
                break;
            }
            let seeds = seeds_of_pairing(args.seed, index);
            let player = |place: usize| {
                let playouts = Seeds::new(seeds.stream(Purpose::Rollout, place as u64).next_u64());
                agents[pairing[place]].player::<G>(variant, &rules, playouts)
            };
            let players = [player(0)?, player(1)?];
            tournament.play_pairing(pairing, players, seeds, &interrupt, &mut progress)?;
        }
        progress.finish();
        let pairs = tournament.pairs;
        if pairs.is_empty() {
            return Err(PlayingError::NothingPlayed.into());
        }
        let report = TournamentReport::new(settings, &pairs, anchor);
        Finished::<G> { args, variant, rules: &rules, pairs: &pairs, report: &report, anchor }
            .write(journal.as_ref(), output)
    }
}

/// Agents must not play the same game in two pairings.
fn seeds_of_pairing(seed: u64, index: usize) -> Seeds {
    // Far from the streams of a match's games.
    const FIRST_STREAM: u64 = 1 << 32;
    Seeds::new(Seeds::new(seed).stream(Purpose::Match, FIRST_STREAM + index as u64).next_u64())
}

fn all_cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// What all pairings share.
struct Tournament<'a, G> {
    args: &'a TournamentArgs,
    settings: &'a Settings,
    openings: &'a [Opening<G>],
    threads: NonZero<usize>,
    pairs: Pairs,
    journal: &'a mut Option<Journal>,
}

impl<G: Notation> Tournament<'_, G> {
    /// Plays what is missing of a pairing. A game is the same whether or not those before it were played before.
    fn play_pairing(
        &mut self,
        pairing: [usize; 2],
        players: [Box<dyn Agent<G>>; 2],
        seeds: Seeds,
        interrupt: &Interrupt,
        progress: &mut Progress,
    ) -> Result<(), PlayError> {
        let missing = (0..self.openings.len()).find(|&pair| !self.pairs.contains_key(&(pairing, pair)));
        let Some(first_missing) = missing else { return Ok(()) };
        let names = pairing.map(|agent| &self.settings.agents[agent]);
        progress.set_message(&format!("{} against {}", names[0], names[1]));
        let (openings, threads, time) = (self.openings.to_vec(), self.threads, self.args.time.limits());
        let game = Match { players, openings, seeds, threads, time };
        game.play_pairs(first_missing, interrupt, |FinishedPair { pair, start, games }| {
            if self.pairs.contains_key(&(pairing, pair)) {
                return Ok(());
            }
            let kept = KeptPair { agents: pairing, pair, start, games };
            let written = self.journal.as_mut().map_or(Ok(()), |journal| journal.append(&kept));
            self.pairs.insert((pairing, pair), kept);
            progress.add(GAMES_OF_PAIR);
            written
        })?;
        progress.say_done(&self.line_of(pairing));
        Ok(())
    }

    fn line_of(&self, pairing: [usize; 2]) -> String {
        let pairs = self.pairs.range((pairing, 0)..=(pairing, usize::MAX));
        let half_points = pairs.clone().flat_map(|(_, pair)| &pair.games).map(|game| u64::from(game.half_points));
        let points = half_points.sum::<u64>() as f64 / 2.0;
        let [first, second] = pairing.map(|agent| &self.settings.agents[agent]);
        format!("{first} against {second}: {points} of {} points", GAMES_OF_PAIR * pairs.count())
    }
}

/// A tournament that has been played, or as much of it as there is.
struct Finished<'a, G: Notation> {
    args: &'a TournamentArgs,
    variant: &'a Variant,
    rules: &'a G::Rules,
    pairs: &'a Pairs,
    report: &'a TournamentReport,
    anchor: Option<usize>,
}

impl<G: Notation> Finished<'_, G> {
    fn write(&self, journal: Option<&Journal>, output: &mut dyn Write) -> Result<(), Box<dyn Error + Send + Sync>> {
        let side_names = Side::BOTH.map(G::side_name);
        let json = serde_json::to_string_pretty(self.report)? + "\n";
        // The disk may be full: that must not cost the report.
        let saved = journal.map_or(Ok(()), |journal| self.save(journal, &json, side_names));
        let saved = saved.and_then(|()| self.save_ladder());
        if self.args.json {
            output.write_all(json.as_bytes())?;
        } else {
            self.report.write_text(side_names, output)?;
        }
        saved
    }

    fn save(&self, journal: &Journal, json: &str, side_names: [&str; 2]) -> Result<(), Box<dyn Error + Send + Sync>> {
        journal.write("ratings.csv", &self.report.ratings_csv())?;
        journal.write("crosstable.csv", &self.report.cross_table_csv())?;
        journal.write("report.json", json)?;
        journal.write("report.html", &page::html(self.report, side_names)?)?;
        Ok(journal.write("games.pgn", &self.pgn()?)?)
    }

    /// All games as PGN, by pairing and number.
    fn pgn(&self) -> Result<String, Box<dyn Error + Send + Sync>> {
        let form = self.args.notation.unwrap_or(Form::Iccs);
        let Settings { agents, seed, time, .. } = &self.report.settings;
        let mut games = Vec::with_capacity(GAMES_OF_PAIR * self.pairs.len());
        for kept in self.pairs.values() {
            let players = &kept.agents.map(|agent| agents[agent].clone());
            let header = GameHeader { variant: self.variant, players, seed: *seed, time: time.as_deref() };
            for (index, game) in kept.games.iter().enumerate() {
                let number = GAMES_OF_PAIR * kept.pair + index;
                games.push(write_pgn(&game.to_saved::<G>(self.rules, &header, number, &kept.start)?, form));
            }
        }
        Ok(games.join("\n"))
    }

    fn save_ladder(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let Some(path) = &self.args.save_ladder else { return Ok(()) };
        let no_ratings = || PlayingError::NoRatings(self.report.no_ratings.clone().unwrap_or_default());
        let ladder = ladder_of(self.report).ok_or_else(no_ratings)?;
        let text = ladder_file::text_of(&ladder, &command_of(&self.report.settings, self.anchor));
        let failed = |source| PlayingError::Ladder { path: path.display().to_string(), source };
        Ok(whole_file::replace(path, &text).map_err(failed)?)
    }
}
