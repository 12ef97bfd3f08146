//! Vectors of numbers, as wide as the processor has them.
//!
//! The kernels are written once, over [`Lanes`]. Which instructions they run on is chosen when the program starts: `pulp`
//! compiles them for AVX-512 and for AVX2, and [`Portable`] is plain Rust for every other processor.

use std::{array, fmt};

use pulp::{Simd, WithSimd};

/// Outputs that the kernels sum at once, in vectors.
pub(crate) const PANEL_VECTORS: usize = 2;

/// The instructions that a network plays on.
#[derive(Clone, Copy)]
pub struct Kernel(Instructions);

#[derive(Clone, Copy)]
enum Instructions {
    /// Vectors of 16 numbers.
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
    /// Vectors of 8, with fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    /// Plain Rust, in vectors of 4.
    Portable,
}

impl Kernel {
    /// What this processor has, the fastest first.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            kernels.extend(pulp::x86::V4::try_new().map(Instructions::Avx512));
            kernels.extend(pulp::x86::V3::try_new().map(Instructions::Avx2));
        }
        kernels.push(Instructions::Portable);
        kernels.into_iter().map(Kernel).collect()
    }

    /// The fastest that this processor has.
    pub fn best() -> Kernel {
        Kernel::available()[0]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) => "AVX2",
            Instructions::Portable => "portable",
        }
    }

    /// Runs `work` on these instructions.
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(simd) => Simd::vectorize(simd, Vectorized(work)),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(simd) => Simd::vectorize(simd, Vectorized(work)),
            Instructions::Portable => work.run(Portable),
        }
    }

    /// Numbers in a vector: channels are stored in whole vectors.
    pub(crate) fn lanes(self) -> usize {
        self.panel() / PANEL_VECTORS
    }

    /// Outputs of a panel of weights.
    pub(crate) fn panel(self) -> usize {
        self.run(Panel)
    }

    /// Rows that are multiplied at once.
    pub(crate) fn rows(self) -> usize {
        self.run(Rows)
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something to run on vectors, whatever they are. Everything below it has to be `#[inline(always)]`.
pub(crate) trait Work {
    type Output;

    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// A kind of vector, and the arithmetic on it.
pub(crate) trait Lanes: Copy {
    type Vector: Copy;
    /// Numbers in a vector.
    const LANES: usize;
    /// Rows that are multiplied with one panel at once: their sums fill the registers.
    const ROWS: usize;

    fn splat(self, value: f32) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a * b + c`
    fn multiply_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// The whole vectors of a slice.
    fn vectors(values: &[f32]) -> &[Self::Vector];
    /// The whole vectors of a slice, to write to.
    fn vectors_mut(values: &mut [f32]) -> &mut [Self::Vector];
}

/// The vectors of a processor that `pulp` knows.
#[derive(Clone, Copy)]
pub(crate) struct Native<S>(S);

impl<S: Simd> Lanes for Native<S> {
    type Vector = S::f32s;
    const LANES: usize = S::F32_LANES;
    // Two sums a row, two weights and a factor: 27 of 32 registers, or 15 of 16.
    const ROWS: usize = if S::REGISTER_COUNT >= 32 { 12 } else { 6 };

    #[inline(always)]
    fn splat(self, value: f32) -> S::f32s {
        self.0.splat_f32s(value)
    }

    #[inline(always)]
    fn add(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.add_f32s(a, b)
    }

    #[inline(always)]
    fn sub(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.sub_f32s(a, b)
    }

    #[inline(always)]
    fn max(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.max_f32s(a, b)
    }

    #[inline(always)]
    fn multiply_add(self, a: S::f32s, b: S::f32s, c: S::f32s) -> S::f32s {
        self.0.mul_add_e_f32s(a, b, c)
    }

    #[inline(always)]
    fn vectors(values: &[f32]) -> &[S::f32s] {
        S::as_simd_f32s(values).0
    }

    #[inline(always)]
    fn vectors_mut(values: &mut [f32]) -> &mut [S::f32s] {
        S::as_mut_simd_f32s(values).0
    }
}

/// Plain Rust.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Lanes for Portable {
    type Vector = [f32; 4];
    const LANES: usize = 4;
    const ROWS: usize = 6;

    #[inline(always)]
    fn splat(self, value: f32) -> [f32; 4] {
        [value; 4]
    }

    #[inline(always)]
    fn add(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        array::from_fn(|lane| a[lane] + b[lane])
    }

    #[inline(always)]
    fn sub(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        array::from_fn(|lane| a[lane] - b[lane])
    }

    #[inline(always)]
    fn max(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        array::from_fn(|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn multiply_add(self, a: [f32; 4], b: [f32; 4], c: [f32; 4]) -> [f32; 4] {
        array::from_fn(|lane| multiply_add(a[lane], b[lane], c[lane]))
    }

    #[inline(always)]
    fn vectors(values: &[f32]) -> &[[f32; 4]] {
        values.as_chunks().0
    }

    #[inline(always)]
    fn vectors_mut(values: &mut [f32]) -> &mut [[f32; 4]] {
        values.as_chunks_mut().0
    }
}

/// `a * b + c`, fused where the processor can: elsewhere fusing would be a slow library call.
#[inline(always)]
pub(crate) fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) { a.mul_add(b, c) } else { a * b + c }
}

struct Vectorized<W>(W);

impl<W: Work> WithSimd for Vectorized<W> {
    type Output = W::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> W::Output {
        self.0.run(Native(simd))
    }
}

struct Panel;

impl Work for Panel {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> usize {
        PANEL_VECTORS * L::LANES
    }
}

struct Rows;

impl Work for Rows {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> usize {
        L::ROWS
    }
}
