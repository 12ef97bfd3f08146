//! What each piece on each square is worth: a table of numbers that, added up, come as close to the values as they can.

use std::collections::BTreeSet;

use heng_env::Side;
use ndarray::{Array1, Array2};

use super::setups::{Pieces, SetUp, mirror};
use crate::stats::{LinearFit, Z95, least_squares};

/// The fit as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PieceFit {
    /// The share of the values' variance that the numbers explain.
    pub(super) r_squared: f64,
    /// How far values are from the sum of the numbers, as a standard deviation.
    pub(super) residual_deviation: f64,
    /// Every number.
    pub(super) effects: Vec<PieceEffect>,
}

/// What it changes in red's value to have this kind on this square, against the mean of all kinds there and all squares of the kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PieceEffect {
    /// Whose piece it is.
    pub(super) side: Side,
    /// Its letter.
    pub(super) letter: char,
    /// The square, counted from its owner's left corner.
    pub(super) own_square: usize,
    /// The number.
    pub(super) red_effect: f64,
    /// Half of its 95 % interval.
    pub(super) half_width: f64,
}

/// Kinds, and squares up to the mirror.
struct Coding {
    letters: Vec<char>,
    /// Each with its image, which may be itself.
    places: Vec<[usize; 2]>,
}

/// Fits `values` of the set-ups; none where there are too few.
///
/// A value is taken for a constant and a number for every kind on every square, of each side. A square and its image share
/// theirs. Each square holds one piece and each kind has its number of pieces, so that only contrasts can be told: those of two
/// places times those of two kinds. The numbers of a square add up to 0 over kinds, and those of a kind over squares.
pub(super) fn fit<G>(set_ups: &[&SetUp<G>], values: &[f64], files: usize) -> Option<PieceFit> {
    let coding = Coding::of(&set_ups.first()?.pieces[0], files);
    let (kinds, places) = (coding.letters.len(), coding.places.len());
    let of_side = (kinds - 1) * (places - 1);
    let mut design = Array2::zeros((set_ups.len(), 1 + 2 * of_side));
    for (mut row, set_up) in design.rows_mut().into_iter().zip(set_ups) {
        row[0] = 1.0;
        for side in 0..2 {
            let counts = coding.counts(&set_up.pieces[side]);
            for index in 0..of_side {
                row[1 + side * of_side + index] = coding.weights(index).iter().zip(&counts).map(|(a, b)| a * b).sum();
            }
        }
    }
    let weights: Array1<f64> = set_ups.iter().map(|set_up| set_up.copies as f64).collect();
    let found = least_squares(&design, &values.iter().copied().collect(), &weights)?;
    let effects = Side::BOTH.into_iter().flat_map(|side| coding.effects(&found, side, 1 + side.index() * of_side));
    Some(PieceFit {
        r_squared: found.r_squared,
        residual_deviation: found.residual_deviation,
        effects: effects.collect(),
    })
}

impl Coding {
    /// The kinds and squares of a side's pieces.
    fn of(pieces: &Pieces, files: usize) -> Coding {
        let letters: BTreeSet<char> = pieces.iter().map(|piece| piece.0).collect();
        let places: BTreeSet<[usize; 2]> = pieces
            .iter()
            .map(|&(_, square)| [square.min(mirror(square, files)), square.max(mirror(square, files))])
            .collect();
        Coding { letters: letters.into_iter().collect(), places: places.into_iter().collect() }
    }

    /// How many pieces of each kind stand on each place, `[places * kinds]`.
    fn counts(&self, pieces: &Pieces) -> Vec<f64> {
        let mut counts = vec![0.0; self.places.len() * self.letters.len()];
        for &(letter, square) in pieces {
            let place = self.places.iter().position(|place| place.contains(&square));
            let kind = self.letters.iter().position(|&known| known == letter);
            if let (Some(place), Some(kind)) = (place, kind) {
                counts[place * self.letters.len() + kind] += 1.0;
            }
        }
        counts
    }

    /// Contrast number `index`, `[places * kinds]`: a place against the last one, of a kind against the last one.
    fn weights(&self, index: usize) -> Vec<f64> {
        let (kinds, places) = (self.letters.len(), self.places.len());
        let contrast = |chosen: usize, last: usize, here: usize| match here {
            _ if here == chosen => 1.0,
            _ if here == last => -1.0,
            _ => 0.0,
        };
        let cell = |cell: usize| {
            contrast(index / (kinds - 1), places - 1, cell / kinds)
                * contrast(index % (kinds - 1), kinds - 1, cell % kinds)
        };
        (0..places * kinds).map(cell).collect()
    }

    /// The numbers of a side, whose contrasts begin at column `first`.
    fn effects(&self, found: &LinearFit, side: Side, first: usize) -> Vec<PieceEffect> {
        let (kinds, places) = (self.letters.len(), self.places.len());
        let all: Vec<Vec<f64>> = (0..(kinds - 1) * (places - 1)).map(|index| self.weights(index)).collect();
        let mut effects = Vec::new();
        for cell in 0..places * kinds {
            let mut sums = Array1::zeros(found.coefficients.len());
            all.iter().enumerate().for_each(|(index, weights)| sums[first + index] = weights[cell]);
            let red_effect = sums.dot(&found.coefficients);
            let half_width = Z95 * sums.dot(&found.covariance.dot(&sums)).max(0.0).sqrt();
            let squares: BTreeSet<usize> = self.places[cell / kinds].into_iter().collect();
            effects.extend(squares.into_iter().map(|own_square| PieceEffect {
                side,
                letter: self.letters[cell % kinds],
                own_square,
                red_effect,
                half_width,
            }));
        }
        effects
    }
}

#[cfg(test)]
mod tests {
    use heng_env::variants::VariantVisitor;
    use heng_env::{Notation, Variant};

    use super::super::setups;
    use super::*;

    struct Fit;

    impl VariantVisitor for Fit {
        type Output = PieceFit;

        /// Values that are such sums: a red rook on b3 or e3 is worth 0.2 more than elsewhere, a black knight on c6 or d6 0.1.
        fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> PieceFit {
            let all = setups::all::<G>(&rules);
            let value = |set_up: &SetUp<G>| {
                let count = |side: usize, letter, squares: [usize; 2]| {
                    let is_there = |piece: &&(char, usize)| piece.0 == letter && squares.contains(&piece.1);
                    set_up.pieces[side].iter().filter(is_there).count() as f64
                };
                0.3 + 0.2 * count(0, 'R', [13, 16]) - 0.1 * count(1, 'N', [8, 9])
            };
            let values: Vec<f64> = all.iter().map(value).collect();
            fit(&all.iter().collect::<Vec<_>>(), &values, 6).unwrap()
        }
    }

    #[test]
    fn sums_of_numbers_are_found_again() {
        let fit = "eternal-mini".parse::<Variant>().unwrap().dispatch(Fit);
        assert!((fit.r_squared - 1.0).abs() < 1e-9 && fit.residual_deviation < 1e-9, "{fit:?}");
        let effect = |side, letter, own_square| {
            let is_it = |effect: &&PieceEffect| {
                effect.side == side && effect.letter == letter && effect.own_square == own_square
            };
            fit.effects.iter().find(is_it).unwrap().red_effect
        };
        // 0.2 for one of nine cells, less the means of its row and its column: 4/9, -2/9 and 1/9 of it.
        for (side, letter, square, expected) in [
            (Side::Red, 'R', 13, 0.2 * 4.0 / 9.0),
            (Side::Red, 'R', 16, 0.2 * 4.0 / 9.0),
            (Side::Red, 'R', 8, -0.2 * 2.0 / 9.0),
            (Side::Red, 'N', 13, -0.2 * 2.0 / 9.0),
            (Side::Red, 'N', 8, 0.2 / 9.0),
            (Side::Black, 'N', 9, -0.1 * 4.0 / 9.0),
        ] {
            let found = effect(side, letter, square);
            assert!((found - expected).abs() < 1e-9, "{side:?} {letter} {square}: {found}");
        }
        assert_eq!(fit.effects.len(), 2 * 3 * 6);
    }
}
