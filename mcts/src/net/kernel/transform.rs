//! The transforms of F(3×3, 3×3) in one direction, for the points 0, 1, -1, 2 and infinity, and their transposes, which
//! take gradients back.
//!
//! With `y` the outputs, `x` the inputs and `w` the weights, `y = Aᵀ ((G w) · (Bᵀ x))`.

use std::array;

use super::simd::Lanes;
use super::winograd::{REACH, TAPS, TILE};

/// Transforms a tile in both directions. `value` gives a number by rank and file; the result is by file and rank.
#[inline(always)]
pub(super) fn both_ways<V: Copy, const FROM: usize, const TO: usize>(
    value: impl Fn(usize, usize) -> V,
    one_way: impl Fn([V; FROM]) -> [V; TO],
) -> [[V; TO]; TO] {
    let rows: [[V; TO]; FROM] = array::from_fn(|rank| one_way(array::from_fn(|file| value(rank, file))));
    array::from_fn(|file| one_way(array::from_fn(|rank| rows[rank][file])))
}

/// `Bᵀ x`
#[inline(always)]
pub(super) fn inputs_to_points<L: Lanes>(lanes: L, [a, b, c, d, e]: [L::Vector; REACH]) -> [L::Vector; REACH] {
    let (two, minus_two) = (lanes.splat(2.0), lanes.splat(-2.0));
    let difference = lanes.sub(d, b);
    [
        lanes.multiply_add(two, lanes.sub(a, c), difference),
        lanes.sub(lanes.multiply_add(minus_two, b, d), c),
        lanes.multiply_add(two, b, lanes.multiply_add(lanes.splat(-3.0), c, d)),
        difference,
        lanes.multiply_add(minus_two, difference, lanes.sub(e, c)),
    ]
}

/// `Aᵀ m`
#[inline(always)]
pub(super) fn points_to_outputs<L: Lanes>(lanes: L, [a, b, c, d, e]: [L::Vector; REACH]) -> [L::Vector; TILE] {
    let (sum, difference) = (lanes.add(b, c), lanes.sub(b, c));
    [
        lanes.add(lanes.add(a, sum), d),
        lanes.multiply_add(lanes.splat(2.0), d, difference),
        lanes.add(lanes.multiply_add(lanes.splat(4.0), d, sum), e),
    ]
}

/// `A y`
#[inline(always)]
pub(super) fn outputs_to_points<L: Lanes>(lanes: L, [a, b, c]: [L::Vector; TILE]) -> [L::Vector; REACH] {
    let even = lanes.add(a, c);
    let quadrupled = lanes.multiply_add(lanes.splat(4.0), c, a);
    [a, lanes.add(even, b), lanes.sub(even, b), lanes.multiply_add(lanes.splat(2.0), b, quadrupled), c]
}

/// `G w`
#[inline(always)]
pub(super) fn weights_to_points<L: Lanes>(lanes: L, [a, b, c]: [L::Vector; TAPS]) -> [L::Vector; REACH] {
    let (half, sixth) = (lanes.splat(0.5), lanes.splat(1.0 / 6.0));
    let zero = lanes.splat(0.0);
    let times = |factor, value| lanes.multiply_add(factor, value, zero);
    let even = lanes.add(a, c);
    let weighted = lanes.multiply_add(lanes.splat(4.0), c, lanes.multiply_add(lanes.splat(2.0), b, a));
    [
        times(half, a),
        times(lanes.splat(-0.5), lanes.add(even, b)),
        times(sixth, lanes.sub(b, even)),
        times(sixth, weighted),
        c,
    ]
}

/// `Gᵀ u`
#[inline(always)]
pub(super) fn points_to_weights<L: Lanes>(lanes: L, [a, b, c, d, e]: [L::Vector; REACH]) -> [L::Vector; TAPS] {
    let (half, minus_half, sixth) = (lanes.splat(0.5), lanes.splat(-0.5), lanes.splat(1.0 / 6.0));
    let zero = lanes.splat(0.0);
    let times = |factor, value| lanes.multiply_add(factor, value, zero);
    let shared = times(minus_half, b);
    let difference = times(sixth, lanes.sub(d, c));
    [
        lanes.multiply_add(half, a, lanes.add(shared, difference)),
        lanes.add(shared, lanes.multiply_add(lanes.splat(1.0 / 3.0), d, times(sixth, c))),
        lanes.add(lanes.add(shared, e), lanes.multiply_add(half, d, difference)),
    ]
}
