//! Geometry.
/// A board.
pub trait Board: Clone + Copy + std::fmt::Debug + Send + Sync + 'static {}
/// 8 files by 9 ranks.
#[derive(Clone, Copy, Debug)]
pub struct FullBoard;
/// 6 files by 7 ranks.
#[derive(Clone, Copy, Debug)]
pub struct MiniBoard;
impl Board for FullBoard {}
impl Board for MiniBoard {}
