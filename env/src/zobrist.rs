//! Zobrist hashing (Zobrist 1970), kept for a position and for its mirror image at once, so that a game with its
//! history can be mirrored.

/// A hash and that of the mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Hash {
    /// Hash of the position.
    pub(crate) plain: u64,
    /// Hash of its reflection left to right.
    pub(crate) mirror: u64,
}

impl Hash {
    /// A feature that looks the same in the mirror.
    pub(crate) const fn symmetric(hash: u64) -> Hash {
        Hash { plain: hash, mirror: hash }
    }

    /// Adds a feature, or takes it away again.
    pub(crate) const fn and(self, other: Hash) -> Hash {
        Hash { plain: self.plain ^ other.plain, mirror: self.mirror ^ other.mirror }
    }

    /// The hash of the reflection.
    pub(crate) const fn mirrored(self) -> Hash {
        Hash { plain: self.mirror, mirror: self.plain }
    }
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014) over a counter: random enough, and computed at compile time.
pub(crate) const fn number(index: usize) -> u64 {
    let mut z = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The numbers with the indices from `first`.
pub(crate) const fn numbers<const N: usize>(first: usize) -> [u64; N] {
    let mut all = [0; N];
    let mut index = 0;
    while index < N {
        all[index] = number(first + index);
        index += 1;
    }
    all
}
