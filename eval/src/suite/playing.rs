//! One agent on one ladder: batches of pairs against the rungs that say most.

use std::error::Error;
use std::num::NonZero;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Seeds, Variant};
use heng_mcts::ladder::{Ladder, Rating, Rung, RungResults};
use heng_mcts::net::Device;
use rand::Rng;

use super::climb::{batch, next_rung};
use super::folder::{SuitePair, SuitePairs};
use super::report::{RungScore, SuiteRow};
use crate::agent::{AgentSpec, LoadedAgent};
use crate::interrupt::Interrupt;
use crate::journal::Journal;
use crate::match_play::{FinishedPair, GAMES_OF_PAIR, Match, PlayError};
use crate::openings::{Opening, OpeningSource, openings};
use crate::progress::Progress;

/// What all agents and ladders share.
pub(super) struct Session<'a> {
    pub(super) seed: u64,
    pub(super) device: &'a Device,
    /// Pairs of each agent on each ladder.
    pub(super) pairs_wanted: usize,
    pub(super) threads: NonZero<usize>,
    pub(super) pairs: SuitePairs,
    pub(super) journal: &'a mut Option<Journal>,
    pub(super) interrupt: Interrupt,
    pub(super) progress: Progress,
}

/// An agent that is to be rated on a ladder.
pub(super) struct Climb<'a, 'b> {
    pub(super) session: &'a mut Session<'b>,
    pub(super) agent: &'a LoadedAgent,
    pub(super) ladder: &'a Ladder,
    /// Told of what cannot be played.
    pub(super) left_out: &'a mut Vec<String>,
}

/// What goes wrong with more than a rung.
type AnyError = Box<dyn Error + Send + Sync>;

impl VariantVisitor for Climb<'_, '_> {
    /// The rating; nothing if the agent cannot be rated there, which is then told.
    type Output = Result<Option<SuiteRow>, AnyError>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let Climb { session, agent, ladder, left_out } = self;
        let name = agent.spec().to_string();
        if let Err(error) = agent.player::<G>(variant, &rules, Seeds::new(session.seed)) {
            left_out.push(format!("{}: {error}", variant.name()));
            return Ok(None);
        }
        let board = Board::<G> { variant, rules: &rules, ladder };
        let rungs = board.rungs(&name, session, left_out);
        if rungs.iter().all(Option::is_none) {
            left_out.push(format!("{}: `{name}`, since no rung is left to play against", variant.name()));
            return Ok(None);
        }
        let source: OpeningSource = ladder.openings.parse()?;
        let seeds = Seeds::new(session.seed);
        let openings = openings::<G>(&source, &rules, session.pairs_wanted, seeds, &session.interrupt)?;
        let mut record = Record::new(ladder);
        for (first, end) in (0..).map(batch).take_while(|(first, _)| *first < openings.len()) {
            let available = (0..rungs.len()).filter(|&rung| rungs[rung].is_some()).collect::<Vec<_>>();
            let next = next_rung(ladder, &available, &record.pairs(), record.rating().as_ref());
            let Some((rung, opponent)) = next.and_then(|rung| Some((rung, rungs[rung].as_ref()?))) else { break };
            let part = Part { variant: variant.name(), agent: &name, rung: &ladder.rungs[rung].agent, first };
            let openings = &openings[..end.min(openings.len())];
            if session.is_missing(&part, openings.len()) && !session.interrupt.is_requested() {
                let game = board.game([agent, opponent], rung, openings, session)?;
                session.play(&part, &game)?;
            }
            record.add(rung, session.kept(&part, openings.len()));
            session.progress.add(GAMES_OF_PAIR * (openings.len() - first));
            if session.interrupt.is_requested() {
                break;
            }
        }
        session.progress.say_done(&format!("{name} on the ladder of {}", variant.name()));
        Ok(Some(record.row(name, variant.name())))
    }
}

/// What the games of a ladder have in common.
struct Board<'a, G: Notation> {
    variant: &'a Variant,
    rules: &'a G::Rules,
    ladder: &'a Ladder,
}

impl<G: Notation> Board<'_, G> {
    /// The agents of the rungs; nothing for those that cannot be played, and for the rated agent, which says nothing about itself.
    fn rungs(&self, rated: &str, session: &Session<'_>, left_out: &mut Vec<String>) -> Vec<Option<LoadedAgent>> {
        let playable = |agent: &str| -> Result<LoadedAgent, AnyError> {
            let loaded = agent.parse::<AgentSpec>()?.load_on(session.device)?;
            loaded.player::<G>(self.variant, self.rules, Seeds::new(session.seed))?;
            Ok(loaded)
        };
        let mut rungs = Vec::new();
        for Rung { agent, .. } in &self.ladder.rungs {
            let found = if agent == rated { None } else { Some(playable(agent)) };
            rungs.push(found.and_then(|found| {
                let told = |error: &AnyError| {
                    let line = format!("{}, a rung: {error}", self.variant.name());
                    // Once is enough for all agents.
                    if !left_out.contains(&line) {
                        left_out.push(line);
                    }
                };
                found.inspect_err(told).ok()
            }));
        }
        rungs
    }

    /// The games of an agent against a rung. They are no other ones whatever else is played.
    fn game(
        &self,
        agents: [&LoadedAgent; 2],
        rung: usize,
        openings: &[Opening<G>],
        session: &Session<'_>,
    ) -> Result<Match<G>, AnyError> {
        // Far from the streams of a match's games and a tournament's pairings.
        const FIRST_STREAM: u64 = 1 << 33;
        let stream = FIRST_STREAM + rung as u64;
        let seeds = Seeds::new(Seeds::new(session.seed).stream(Purpose::Match, stream).next_u64());
        let player = |place: usize| {
            let playouts = Seeds::new(seeds.stream(Purpose::Rollout, place as u64).next_u64());
            agents[place].player::<G>(self.variant, self.rules, playouts)
        };
        let players = [player(0)?, player(1)?];
        Ok(Match { players, openings: openings.to_vec(), seeds, threads: session.threads, time: None })
    }
}

/// A batch of pairs against a rung.
struct Part<'a> {
    variant: &'a str,
    agent: &'a str,
    rung: &'a str,
    /// Its first pair.
    first: usize,
}

impl Part<'_> {
    fn key(&self, pair: usize) -> (String, String, usize) {
        (self.variant.to_owned(), self.agent.to_owned(), pair)
    }
}

impl Session<'_> {
    /// The kept games of a pair. Against another rung they are of no use: the ladder could be played otherwise then.
    fn pair(&self, part: &Part<'_>, pair: usize) -> Option<&SuitePair> {
        self.pairs.get(&part.key(pair)).filter(|kept| kept.rung == part.rung)
    }

    fn kept(&self, part: &Part<'_>, end: usize) -> impl Iterator<Item = &SuitePair> {
        (part.first..end).filter_map(|pair| self.pair(part, pair))
    }

    fn is_missing(&self, part: &Part<'_>, end: usize) -> bool {
        self.kept(part, end).count() < end - part.first
    }

    /// Plays what is missing of a batch.
    fn play<G: Notation>(&mut self, part: &Part<'_>, game: &Match<G>) -> Result<(), PlayError> {
        self.progress.set_message(&format!("{} against {}", part.agent, part.rung));
        let end = game.openings.len();
        let first_missing = (part.first..end).find(|&pair| self.pair(part, pair).is_none()).unwrap_or(end);
        let (pairs, journal) = (&mut self.pairs, &mut *self.journal);
        game.play_pairs(first_missing, &self.interrupt, |FinishedPair { pair, start, games }| {
            let key = part.key(pair);
            if pairs.get(&key).is_some_and(|kept| kept.rung == part.rung) {
                return Ok(());
            }
            let [variant, agent, rung] = [part.variant, part.agent, part.rung].map(str::to_owned);
            let kept = SuitePair { variant, agent, rung, pair, start, games };
            let written = journal.as_mut().map_or(Ok(()), |journal| journal.append(&kept));
            pairs.insert(key, kept);
            written
        })
    }
}

/// The results of an agent on a ladder.
struct Record<'a> {
    ladder: &'a Ladder,
    /// By rung and colour: won, drawn and lost.
    games: Vec<[[u64; 3]; GAMES_OF_PAIR]>,
}

impl<'a> Record<'a> {
    fn new(ladder: &'a Ladder) -> Record<'a> {
        Record { ladder, games: vec![[[0; 3]; GAMES_OF_PAIR]; ladder.rungs.len()] }
    }

    fn add<'b>(&mut self, rung: usize, pairs: impl Iterator<Item = &'b SuitePair>) {
        for (colour, game) in pairs.flat_map(|pair| pair.games.iter().enumerate()) {
            self.games[rung][colour][2 - usize::from(game.half_points.min(2))] += 1;
        }
    }

    /// The pairs against each rung.
    fn pairs(&self) -> Vec<usize> {
        self.games.iter().map(|games| games.iter().flatten().sum::<u64>() as usize / GAMES_OF_PAIR).collect()
    }

    fn rating(&self) -> Option<Rating> {
        let results = self.ladder.rungs.iter().zip(&self.games);
        let results = results.map(|(rung, &[as_red, as_black])| RungResults { elo: rung.elo, as_red, as_black });
        self.ladder.rate(&results.filter(|rung| rung.as_red != [0; 3] || rung.as_black != [0; 3]).collect::<Vec<_>>())
    }

    fn row(&self, agent: String, variant: &str) -> SuiteRow {
        let score = |(rung, [as_red, as_black]): (&Rung, &[[u64; 3]; GAMES_OF_PAIR])| {
            let [wins, draws, losses] = [0, 1, 2].map(|ending| as_red[ending] + as_black[ending]);
            RungScore { agent: rung.agent.clone(), elo: rung.elo, wins, draws, losses }
        };
        let rungs = self.ladder.rungs.iter().zip(&self.games).map(score).filter(|score| score.games() > 0).collect();
        SuiteRow { variant: variant.to_owned(), agent, rating: self.rating(), rungs }
    }
}
