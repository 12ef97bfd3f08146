//! Where the squares of a batch of boards stand.

use super::winograd::TILE;

/// A board with a border of zeros, `[height, width, channels]`, cut into tiles.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    files: usize,
    /// Squares of a rank, with its border.
    width: usize,
    /// Squares of a board, with its border.
    area: usize,
    /// Each square of a board, counted with the border.
    inside: Vec<usize>,
    /// The first square of each tile's inputs, counted with the border.
    corners: Vec<usize>,
    /// Ranks and files of each tile that are on the board.
    extents: Vec<(usize, usize)>,
}

impl Grid {
    pub(crate) fn new(ranks: usize, files: usize) -> Grid {
        let width = files.next_multiple_of(TILE) + 2;
        let height = ranks.next_multiple_of(TILE) + 2;
        let inside = (0..ranks * files).map(|square| (square / files + 1) * width + square % files + 1).collect();
        let starts = (0..ranks).step_by(TILE).flat_map(|rank| (0..files).step_by(TILE).map(move |file| (rank, file)));
        let corners = starts.clone().map(|(rank, file)| rank * width + file).collect();
        let extents = starts.map(|(rank, file)| (TILE.min(ranks - rank), TILE.min(files - file))).collect();
        Grid { files, width, area: height * width, inside, corners, extents }
    }

    /// Squares of a rank.
    pub(crate) fn files(&self) -> usize {
        self.files
    }

    /// Squares of a rank, with its border.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Squares of a board, with its border.
    pub(crate) fn area(&self) -> usize {
        self.area
    }

    /// The squares of a board, counted with the border.
    pub(crate) fn inside(&self) -> &[usize] {
        &self.inside
    }

    /// Squares of a board.
    pub(crate) fn squares(&self) -> usize {
        self.inside.len()
    }

    /// The square with this index among those of all boards, counted with the border.
    pub(crate) fn place(&self, square: usize) -> usize {
        square / self.squares() * self.area + self.inside[square % self.squares()]
    }

    /// Tiles of a board.
    pub(crate) fn tiles(&self) -> usize {
        self.corners.len()
    }

    /// The first square of each tile's inputs, counted with the border.
    pub(crate) fn corners(&self) -> &[usize] {
        &self.corners
    }

    /// Ranks and files of each tile that are on the board.
    pub(crate) fn extents(&self) -> &[(usize, usize)] {
        &self.extents
    }
}
