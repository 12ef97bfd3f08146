//! The set-ups of the small board, and which of them are mirror images of each other.

use std::collections::HashMap;

use heng_env::diagram::{Diagram, Occupant};
use heng_env::{Notation, Side};

/// The pieces of a side at the start: letters and squares as their owner sees them, counted from the left corner.
pub(super) type Pieces = Vec<(char, usize)>;

/// A set-up that stands for itself and its mirror image, which are worth the same.
#[derive(Clone, Debug)]
pub(super) struct SetUp<G> {
    /// The start of the game.
    pub(super) position: G,
    /// The text of it.
    pub(super) fen: String,
    /// How many set-ups it stands for: 2, or 1 if it is its own mirror image.
    pub(super) copies: usize,
    /// The pieces of both sides, red's first.
    pub(super) pieces: [Pieces; 2],
    /// Their layouts as texts.
    pub(super) layouts: [String; 2],
    /// Whether both sides have the same layout, each piece across from its like.
    pub(super) is_facing: bool,
    /// Whether both sides have the same layout, the board looking the same when it is turned half round.
    pub(super) is_turned: bool,
}

impl<G> SetUp<G> {
    /// Whether it is its own mirror image.
    pub(super) fn is_mirror_image(&self) -> bool {
        self.copies == 1
    }
}

/// All set-ups up to the mirror, in the order of the rules; of two images it is the first.
pub(super) fn all<G: Notation>(rules: &G::Rules) -> Vec<SetUp<G>> {
    let starts = G::all_starts(rules);
    let places: HashMap<String, usize> = starts.iter().enumerate().map(|(index, start)| (start.fen(), index)).collect();
    let set_up = |(index, start): (usize, &G)| {
        let mirrored = start.mirrored();
        // A variant whose settings fix one side's layout may lack the image.
        let image = places.get(&mirrored.fen()).copied().unwrap_or(index);
        (image >= index).then(|| set_up(start, &mirrored, if image == index { 1 } else { 2 }))
    };
    starts.iter().enumerate().filter_map(set_up).collect()
}

fn set_up<G: Notation>(start: &G, mirrored: &G, copies: usize) -> SetUp<G> {
    let (diagram, image) = (start.diagram(), mirrored.diagram());
    let pieces = Side::BOTH.map(|side| pieces_of(&diagram, side));
    SetUp {
        position: start.clone(),
        fen: start.fen(),
        copies,
        layouts: [0, 1].map(|side| layout_text(&pieces[side], diagram.files)),
        is_facing: pieces[0] == pieces[1],
        is_turned: pieces[0] == pieces_of(&image, Side::Black),
        pieces,
    }
}

/// The pieces of `side` in the order of its squares.
fn pieces_of(diagram: &Diagram, side: Side) -> Pieces {
    let own = |square: usize| match side {
        Side::Red => square,
        Side::Black => (diagram.ranks - 1 - square / diagram.files) * diagram.files + square % diagram.files,
    };
    let piece = |(square, found): (usize, &heng_env::diagram::Square)| match found.occupant {
        Occupant::Piece(glyph) if glyph.side == side => Some((glyph.letter, own(square))),
        _ => None,
    };
    let mut pieces: Pieces = diagram.squares.iter().enumerate().filter_map(piece).collect();
    pieces.sort_by_key(|&(_, square)| square);
    pieces
}

/// A layout as the setting `red` of the variant takes it.
fn layout_text(pieces: &Pieces, files: usize) -> String {
    pieces.iter().map(|&(letter, square)| format!("{letter}{}", square_text(square, files))).collect()
}

/// A square by its name.
pub(super) fn square_text(square: usize, files: usize) -> String {
    format!("{}{}", char::from(b'a' + (square % files) as u8), square / files + 1)
}

/// The square's reflection left to right.
pub(super) fn mirror(square: usize, files: usize) -> usize {
    square - square % files + (files - 1 - square % files)
}

#[cfg(test)]
pub(super) mod tests {
    use heng_env::variants::VariantVisitor;
    use heng_env::{Notation, Variant};

    use super::*;

    struct Count;

    impl VariantVisitor for Count {
        type Output = [usize; 6];

        fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> [usize; 6] {
            let all = all::<G>(&rules);
            let count = |is: &dyn Fn(&SetUp<G>) -> bool| all.iter().filter(|set_up| is(set_up)).count();
            [
                all.len(),
                all.iter().map(|set_up| set_up.copies).sum(),
                count(&SetUp::is_mirror_image),
                count(&|set_up| set_up.is_facing),
                count(&|set_up| set_up.is_turned),
                count(&|set_up| set_up.is_facing && set_up.is_turned),
            ]
        }
    }

    #[test]
    fn the_mirror_leaves_4068_of_8100_set_ups() {
        // Of the 90 layouts of a side 6 are their own images: (90² + 6²) / 2 classes; 90 pairs of like layouts make 48.
        let counted = "eternal-mini".parse::<Variant>().unwrap().dispatch(Count);
        assert_eq!(counted, [4068, 8100, 36, 48, 48, 6]);
    }

    #[test]
    fn a_layout_is_written_as_the_variant_reads_it() {
        struct Layouts;
        impl VariantVisitor for Layouts {
            type Output = [String; 2];
            fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> [String; 2] {
                all::<G>(&rules)[0].layouts.clone()
            }
        }
        let text = "eternal-mini:red=Cc2Cd2Nb3Rc3Rd3Ne3,black=Rb7Rf6Na6Na5Cb6Cc5";
        let found = text.parse::<Variant>().unwrap().dispatch(Layouts);
        assert_eq!(found, ["Cc2Cd2Nb3Rc3Rd3Ne3".to_owned(), "Rb1Na2Cb2Rf2Na3Cc3".to_owned()]);
    }
}
