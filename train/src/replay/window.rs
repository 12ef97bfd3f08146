//! The sliding window of positions that training batches are sampled from.

mod retarget;

use std::collections::VecDeque;
use std::path::PathBuf;

use heng_env::game::{Action, Game, Notation, Side};
use heng_env::seeds::Rng;
use heng_mcts::net::{AuxiliaryTargets, Replies, SHORT_TERM_HORIZONS, TrainingBatch};
use heng_mcts::value::{RedWdl, Wdl};
use ndarray::{Array1, Array2, Array4};
use rand::RngExt;
use rayon::prelude::*;

use super::chunk::{Chunk, ChunkFile};
use super::config::ReplayConfig;
use super::error::{BadValue, ReplayError};
use super::record::Record;
use super::targets::{self, ShortTerm};
pub use retarget::Place;

/// The newest positions of a run, as many as [`ReplayConfig::window_size`] says.
///
/// What is sampled depends on the chunks pushed, in their order, and on the random stream; never on threads.
#[derive(Debug)]
pub struct ReplayWindow<G: Game> {
    rules: G::Rules,
    variant: String,
    config: ReplayConfig,
    /// Whether batches have the targets of the auxiliary heads.
    has_auxiliary_targets: bool,
    blocks: VecDeque<Block>,
    /// Positions of the whole run so far.
    total: u64,
    /// Positions in `blocks`.
    held: usize,
}

/// The samples of one chunk.
#[derive(Debug)]
struct Block {
    file: ChunkFile,
    /// Positions in all blocks pushed up to and including this one.
    end: u64,
    samples: Vec<Sample>,
    /// Parallel to the samples; empty where nobody learns from it.
    later: Vec<Later>,
}

/// What came after a position in its game.
#[derive(Debug)]
struct Later {
    short_term: ShortTerm<Wdl>,
    /// The sample of the same block whose policy is the opponent's reply.
    reply: Option<u32>,
}

/// One position to learn from, compact: texts are decoded when they are sampled.
#[derive(Debug)]
struct Sample {
    row: u32,
    fen: Box<str>,
    actions: Box<[Action]>,
    policy: Box<[f32]>,
    /// The result of the game for the side to act.
    outcome: Wdl,
    /// Value target of the side to act.
    target: Wdl,
    /// NaN if the game was resigned, as the lead.
    steps_left: f32,
    /// Final lead of the side to act.
    lead: f32,
    weight: f32,
    repetitions: u8,
}

/// Which sample a row of a batch is, and whether it is mirrored.
#[derive(Clone, Copy)]
struct Draw<'a> {
    block: &'a Block,
    sample: &'a Sample,
    /// The place of the sample in its block.
    place: usize,
    mirrored: bool,
}

impl<G: Notation> ReplayWindow<G> {
    /// An empty window for games of `variant` under `rules`.
    pub fn new(variant: impl Into<String>, rules: G::Rules, config: ReplayConfig) -> ReplayWindow<G> {
        let (variant, blocks) = (variant.into(), VecDeque::new());
        ReplayWindow { rules, variant, config, has_auxiliary_targets: false, blocks, total: 0, held: 0 }
    }

    /// The same window, whose batches have the targets of the auxiliary heads, if there are such heads.
    #[must_use]
    pub fn with_auxiliary_targets(self, has_auxiliary_targets: bool) -> ReplayWindow<G> {
        ReplayWindow { has_auxiliary_targets, ..self }
    }

    /// Adds a chunk of new games; the oldest positions that no longer fit are forgotten.
    ///
    /// # Errors
    /// If the chunk is of another variant, or has an action that the variant does not know. The window is unchanged.
    pub fn push(&mut self, chunk: &Chunk) -> Result<(), ReplayError> {
        let samples = self.samples(chunk)?;
        self.total += samples.len() as u64;
        self.held += samples.len();
        let end = self.blocks.back().map_or(0, |block| block.end) + samples.len() as u64;
        let file = ChunkFile { iteration: chunk.meta.iteration, part: chunk.meta.part, path: chunk.path.clone() };
        let later = if self.has_auxiliary_targets { later(&chunk.records) } else { Vec::new() };
        self.blocks.push_back(Block { file, end, samples, later });
        self.forget();
        Ok(())
    }

    /// Fills an empty window from the newest of `files`, which are ordered from old to new, after a run of `total`
    /// positions so far.
    ///
    /// # Errors
    /// As [`Chunk::read`] and [`ReplayWindow::push`].
    pub fn refill(&mut self, files: &[ChunkFile], total: u64) -> Result<(), ReplayError> {
        let size = self.config.window_size(total);
        let (mut newest, mut positions) = (Vec::new(), 0);
        for file in files.iter().rev() {
            if positions >= size {
                break;
            }
            let chunk = Chunk::read(&file.path)?;
            positions += chunk.records.iter().filter(|record| record.is_sample()).count() as u64;
            newest.push(chunk);
        }
        for chunk in newest.iter().rev() {
            self.push(chunk)?;
        }
        self.total = total;
        self.forget();
        Ok(())
    }

    /// Positions that can be sampled.
    pub fn len(&self) -> usize {
        self.held.min(self.size())
    }

    /// Whether there is nothing to sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Positions of the whole run so far, those included that the window has forgotten.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Those of `files`, ordered from old to new, that the configuration allows to delete.
    pub fn expired(&self, files: &[ChunkFile]) -> Vec<PathBuf> {
        if self.config.keep_chunks == 0 {
            return Vec::new();
        }
        let candidates = &files[..files.len().saturating_sub(self.config.keep_chunks)];
        let needed = |file: &ChunkFile| self.blocks.front().is_none_or(|oldest| *file >= oldest.file);
        candidates.iter().filter(|file| !needed(file)).map(|file| file.path.clone()).collect()
    }

    /// Draws `batch` positions uniformly, with replacement, each mirrored with probability one half, and encodes them.
    ///
    /// # Errors
    /// If the window is empty, or a position text cannot be read.
    pub fn sample(&self, batch: usize, rng: &mut Rng) -> Result<TrainingBatch, ReplayError> {
        if self.is_empty() {
            return Err(ReplayError::Empty);
        }
        let draws: Vec<Draw<'_>> = (0..batch).map(|_| self.draw(rng)).collect();
        self.encode(&draws)
    }

    fn draw(&self, rng: &mut Rng) -> Draw<'_> {
        let end = self.blocks.back().map_or(0, |block| block.end);
        let index = rng.random_range(end - self.len() as u64..end);
        let mirrored = self.config.mirror && rng.random_bool(0.5);
        let (block, place) = self.locate(index);
        let block = &self.blocks[block];
        Draw { block, sample: &block.samples[place], place, mirrored }
    }

    /// The block of a position and its place in there. Positions are counted over all blocks that were ever pushed.
    fn locate(&self, index: u64) -> (usize, usize) {
        let block = self.blocks.partition_point(|block| block.end <= index);
        let Block { samples, end, .. } = &self.blocks[block];
        (block, (index + samples.len() as u64 - end) as usize)
    }

    fn encode(&self, draws: &[Draw<'_>]) -> Result<TrainingBatch, ReplayError> {
        let shape = G::shape(&self.rules);
        let mut inputs = Array4::zeros((draws.len(), shape.input_planes, shape.ranks, shape.files));
        inputs
            .as_slice_mut()
            .expect("a new array is contiguous")
            .par_chunks_exact_mut(shape.input_len())
            .zip(draws)
            .try_for_each(|(planes, draw)| self.encode_position(draw, planes))?;
        let mut legal_offsets = vec![0];
        let (mut actions, mut targets) = (Vec::new(), Vec::new());
        for draw in draws {
            actions.extend(draw.sample.actions.iter().map(|&action| self.action_index(draw, action)));
            targets.extend_from_slice(&draw.sample.policy);
            legal_offsets.push(actions.len());
        }
        let column = |value: fn(&Sample) -> f32| draws.iter().map(|draw| value(draw.sample)).collect::<Array1<f32>>();
        let mut wdl = Array2::zeros((draws.len(), 3));
        for (mut row, draw) in wdl.rows_mut().into_iter().zip(draws) {
            let target = draw.sample.target;
            row.assign(&ndarray::arr1(&[target.win, target.draw, target.loss]));
        }
        Ok(TrainingBatch {
            inputs,
            legal_offsets,
            actions,
            targets,
            wdl,
            steps_left: column(|sample| sample.steps_left),
            score: column(|sample| sample.lead),
            weights: column(|sample| sample.weight),
            auxiliary: self.has_auxiliary_targets.then(|| self.auxiliary_targets(draws)),
        })
    }

    fn auxiliary_targets(&self, draws: &[Draw<'_>]) -> AuxiliaryTargets {
        let shape = G::shape(&self.rules);
        let mut short_term = Array2::zeros((draws.len(), 3 * SHORT_TERM_HORIZONS.len()));
        let mut replies = Replies { offsets: vec![0], ..Replies::default() };
        for (mut row, draw) in short_term.rows_mut().into_iter().zip(draws) {
            let Later { short_term, reply } = &draw.block.later[draw.place];
            let chances = short_term.iter().flat_map(|wdl| [wdl.win, wdl.draw, wdl.loss]);
            row.iter_mut().zip(chances).for_each(|(value, chance)| *value = chance);
            if let Some(reply) = reply.map(|reply| &draw.block.samples[reply as usize]) {
                let actions = reply.actions.iter().map(|action| self.action_index(draw, action.turned(&shape)));
                replies.actions.extend(actions);
                replies.targets.extend_from_slice(&reply.policy);
            }
            replies.offsets.push(replies.actions.len());
        }
        AuxiliaryTargets { short_term, replies }
    }

    /// The position of a sample as it was played.
    fn position(&self, block: &Block, sample: &Sample) -> Result<G, ReplayError> {
        let mut position = G::from_fen(&self.rules, &sample.fen)
            .map_err(|error| BadValue::new("fen", error.to_string()).at(&block.file.path, sample.row as usize))?;
        position.set_repetitions(sample.repetitions);
        Ok(position)
    }

    fn encode_position(&self, draw: &Draw<'_>, planes: &mut [f32]) -> Result<(), ReplayError> {
        let position = self.position(draw.block, draw.sample)?;
        if draw.mirrored {
            position.mirrored().encode(planes)
        } else {
            position.encode(planes)
        }
        Ok(())
    }

    fn action_index(&self, draw: &Draw<'_>, action: Action) -> u16 {
        let action = if draw.mirrored { G::mirror_action(&self.rules, action) } else { action };
        action.index() as u16
    }

    fn size(&self) -> usize {
        usize::try_from(self.config.window_size(self.total)).unwrap_or(usize::MAX)
    }

    /// Drops the blocks of which no position is in the window any more.
    fn forget(&mut self) {
        let size = self.size();
        while let Some(oldest) = self.blocks.front()
            && self.held - oldest.samples.len() >= size
        {
            self.held -= oldest.samples.len();
            self.blocks.pop_front();
        }
    }

    fn samples(&self, chunk: &Chunk) -> Result<Vec<Sample>, ReplayError> {
        if chunk.meta.variant != self.variant {
            let problem = format!("found `{}`, the run's variant is `{}`", chunk.meta.variant, self.variant);
            return Err(ReplayError::Metadata { path: chunk.path.clone(), key: "heng.variant", problem });
        }
        let samples = chunk.records.iter().enumerate().filter(|(_, record)| record.is_sample());
        samples.map(|(row, record)| self.compact(row, record).map_err(|bad| bad.at(&chunk.path, row))).collect()
    }

    fn compact(&self, row: usize, record: &Record) -> Result<Sample, BadValue> {
        let known = G::shape(&self.rules).action_count();
        if let Some(unknown) = record.decision.actions.iter().find(|action| action.index() >= known) {
            let problem = format!("{} is not below the variant's {known} actions", unknown.index());
            return Err(BadValue::new("actions", problem));
        }
        let outcome = RedWdl::of(record.outcome).to_side(record.decision.side);
        Ok(Sample {
            row: row as u32,
            fen: record.decision.fen.as_str().into(),
            actions: record.decision.actions.as_slice().into(),
            policy: record.decision.policy.as_slice().into(),
            outcome,
            target: mix(outcome, record.decision.root.unwrap_or(outcome), self.config.root_value_share),
            steps_left: record.steps_left.map_or(f32::NAN, |steps| steps as f32),
            lead: match (record.red_lead, record.decision.side) {
                (Some(lead), Side::Red) => lead,
                (Some(lead), Side::Black) => -lead,
                (None, _) => f32::NAN,
            },
            weight: record.weight,
            repetitions: record.decision.repetitions,
        })
    }
}

/// What came after each of the samples among the records of whole games.
fn later(records: &[Record]) -> Vec<Later> {
    let mut later = Vec::new();
    for game in records.chunk_by(|left, right| left.game == right.game) {
        let before = later.len() as u32;
        // For each record, how many samples there are up to it.
        let count = |count: &mut u32, record: &Record| {
            *count += u32::from(record.is_sample());
            Some(*count)
        };
        let counts: Vec<u32> = game.iter().scan(before, count).collect();
        let targets = targets::short_term(game).into_iter().zip(targets::replies(game));
        let samples = game.iter().zip(targets).filter(|(record, _)| record.is_sample());
        // A reply is a sample itself.
        let compact = |(_, (short_term, reply)): (&Record, (ShortTerm<Wdl>, Option<usize>))| Later {
            short_term,
            reply: reply.map(|record| counts[record] - 1),
        };
        later.extend(samples.map(compact));
    }
    later
}

fn mix(outcome: Wdl, root: Wdl, share: f32) -> Wdl {
    let part = |outcome: f32, root: f32| (1.0 - share) * outcome + share * root;
    Wdl { win: part(outcome.win, root.win), draw: part(outcome.draw, root.draw), loss: part(outcome.loss, root.loss) }
}

#[cfg(test)]
mod tests;
