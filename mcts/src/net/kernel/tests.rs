//! Every kernel of this processor against sums written out plainly.

use heng_env::seeds::{Purpose, Seeds};
use rand::RngExt as _;

use super::{Convolution, Finish, Grid, Kernel, SquareProduct, Tiles, WeightGradient};

/// Boards of every shape of last tiles, and a batch that fills no row of a product.
const BOARDS: [(usize, usize, usize); 6] = [(1, 1, 1), (3, 3, 2), (7, 6, 5), (9, 8, 3), (10, 9, 2), (13, 12, 1)];

fn random(count: usize, index: u64) -> Vec<f32> {
    let mut rng = Seeds::new(11).stream(Purpose::Test, index);
    (0..count).map(|_| rng.random_range(-1.0..1.0)).collect()
}

/// Random numbers on the squares of the boards, zeros around, `[boards, area, channels]`.
fn random_boards(grid: &Grid, boards: usize, channels: usize, index: u64) -> Vec<f32> {
    let mut values = vec![0.0; boards * grid.area() * channels];
    for (square, drawn) in random(boards * grid.squares() * channels, index).chunks_exact(channels).enumerate() {
        values[grid.place(square) * channels..][..channels].copy_from_slice(drawn);
    }
    values
}

/// The nine neighbours of a square, or the square itself outside of which there is a border.
fn neighbour(grid: &Grid, place: usize, tap: usize) -> usize {
    place + tap / 3 * grid.width() + tap % 3 - grid.width() - 1
}

fn assert_close(found: &[f32], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len());
    for (index, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        let error = (f64::from(found) - expected).abs();
        assert!(error < 1e-4 * expected.abs().max(1.0), "{what}, number {index}: {found}, expected {expected}");
    }
}

#[test]
fn every_kernel_convolves_as_written_out() {
    for kernel in Kernel::available() {
        for (case, (ranks, files, boards)) in BOARDS.into_iter().enumerate() {
            let grid = Grid::new(ranks, files);
            let (inputs, outputs) = (kernel.panel() * (1 + case % 2), kernel.panel() * (1 + case % 3));
            let (input, before) = (random_boards(&grid, boards, inputs, 1), random_boards(&grid, boards, outputs, 2));
            let (weight, bias) = (random(9 * inputs * outputs, 3), random(boards * outputs, 4));
            let convolution = Convolution::new(kernel, &weight, inputs, outputs);
            for (finish, bias) in
                [(Finish::Linear, &bias[..outputs]), (Finish::Relu, &bias[..]), (Finish::AddedRelu, &bias[..])]
            {
                let mut found = before.clone();
                let mut tiles = Tiles::new(kernel, &grid, boards, inputs);
                convolution.apply((&grid, boards), (&input, bias), &mut found, finish, &mut tiles);
                let mut expected: Vec<f64> = before.iter().copied().map(f64::from).collect();
                for square in 0..boards * grid.squares() {
                    let place = grid.place(square);
                    for output in 0..outputs {
                        let board = if bias.len() == outputs { 0 } else { square / grid.squares() };
                        let mut sum = f64::from(bias[board * outputs + output]);
                        for tap in 0..9 {
                            let from = neighbour(&grid, place, tap) * inputs;
                            let weight = |input: usize| weight[(tap * inputs + input) * outputs + output];
                            sum +=
                                (0..inputs).map(|at| f64::from(input[from + at]) * f64::from(weight(at))).sum::<f64>();
                        }
                        let out = &mut expected[place * outputs + output];
                        *out = match finish {
                            Finish::Linear => sum,
                            Finish::Relu => sum.max(0.0),
                            Finish::AddedRelu => (*out + sum).max(0.0),
                        };
                    }
                }
                assert_close(&found, &expected, &format!("{kernel:?}, {ranks}x{files}, {finish:?}"));
            }
        }
    }
}

#[test]
fn every_kernel_finds_the_gradient_of_the_weights_as_written_out() {
    for kernel in Kernel::available() {
        for (case, (ranks, files, boards)) in BOARDS.into_iter().enumerate() {
            let grid = Grid::new(ranks, files);
            let (inputs, outputs) = (kernel.panel() * (1 + case % 2), kernel.panel() * (1 + case % 3));
            let mut gradient = WeightGradient::new(kernel, inputs, outputs);
            let mut tiles = gradient.tiles(&grid, boards);
            let mut expected = vec![0.0; 9 * inputs * outputs];
            for part in [5, 7] {
                let input = random_boards(&grid, boards, inputs, part);
                let slopes = random_boards(&grid, boards, outputs, part + 1);
                gradient.add((&grid, boards), &input, &slopes, &mut tiles);
                for (square, tap) in
                    (0..boards * grid.squares()).flat_map(|square| (0..9).map(move |tap| (square, tap)))
                {
                    let place = grid.place(square);
                    let from = neighbour(&grid, place, tap);
                    for (at, weights) in
                        expected[tap * inputs * outputs..].chunks_exact_mut(outputs).enumerate().take(inputs)
                    {
                        let value = f64::from(input[from * inputs + at]);
                        let slopes = &slopes[place * outputs..][..outputs];
                        weights.iter_mut().zip(slopes).for_each(|(sum, &slope)| *sum += value * f64::from(slope));
                    }
                }
            }
            assert_close(&gradient.finish(), &expected, &format!("{kernel:?}, {ranks}x{files}"));
        }
    }
}

#[test]
fn every_kernel_multiplies_squares_as_written_out() {
    for kernel in Kernel::available() {
        for (case, (ranks, files, boards)) in BOARDS.into_iter().enumerate() {
            let grid = Grid::new(ranks, files);
            let (inputs, outputs) = (kernel.panel(), kernel.panel() * (1 + case % 3));
            let (input, weight) = (random_boards(&grid, boards, inputs, 1), random(inputs * outputs, 3));
            let bias = random(outputs, 4);
            let mut found = vec![0.0; boards * grid.area() * outputs];
            SquareProduct::new(kernel, &weight, bias.clone()).apply(&grid, boards, &input, &mut found);
            let mut expected = vec![0.0; found.len()];
            for place in (0..boards * grid.squares()).map(|square| grid.place(square)) {
                for output in 0..outputs {
                    let product =
                        |at: usize| f64::from(input[place * inputs + at]) * f64::from(weight[at * outputs + output]);
                    expected[place * outputs + output] =
                        f64::from(bias[output]) + (0..inputs).map(product).sum::<f64>();
                }
            }
            assert_close(&found, &expected, &format!("{kernel:?}, {ranks}x{files}"));
        }
    }
}
