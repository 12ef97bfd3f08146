//! One kind of random generator for everything, and one way to derive its streams.

use rand::SeedableRng;

/// The project's only random generator: ChaCha with 8 rounds, the same numbers on every machine.
pub type Rng = rand_chacha::ChaCha8Rng;

/// What a stream of random numbers is for. Streams of different purposes never overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Games of self-play.
    SelfPlay,
    /// Sampling of training batches and mirror augmentation.
    Learning,
    /// Initial weights of a network.
    Weights,
    /// Openings of matches.
    Openings,
    /// The agents of matches.
    Match,
    /// Playouts of the rollout evaluator.
    Rollout,
    /// Tests and benchmarks.
    Test,
    /// Positions of the replay window that are searched anew, and those searches.
    Reanalysis,
    /// Samples drawn again from a sample, for intervals.
    Bootstrap,
}

/// A seed from which every stream of random numbers of a run is derived.
///
/// Each game has its own stream, so the number of threads cannot change a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    seed: u64,
}

impl Seeds {
    /// All streams of `seed`.
    pub const fn new(seed: u64) -> Seeds {
        Seeds { seed }
    }

    /// The seed itself.
    pub const fn seed(self) -> u64 {
        self.seed
    }

    /// The stream of random numbers for `purpose` and `index` (a game, an iteration, …).
    pub fn stream(self, purpose: Purpose, index: u64) -> Rng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&(purpose as u64).to_le_bytes());
        key[16..24].copy_from_slice(&index.to_le_bytes());
        Rng::from_seed(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    #[test]
    fn streams_depend_on_seed_purpose_and_index() {
        let first = |seed, purpose, index| Seeds::new(seed).stream(purpose, index).next_u64();
        let base = first(1, Purpose::SelfPlay, 2);
        assert_eq!(base, first(1, Purpose::SelfPlay, 2));
        assert_ne!(base, first(2, Purpose::SelfPlay, 2));
        assert_ne!(base, first(1, Purpose::Learning, 2));
        assert_ne!(base, first(1, Purpose::SelfPlay, 3));
    }
}
