//! Where one side's twelve pieces stand when the playing phase begins, whatever the order in which they were placed.

use heng_env::variants::VariantVisitor;
use heng_env::variants::eternal::{Board, FullBoard, Kind};
use heng_env::{Notation, Side, Variant};
use thiserror::Error;

/// Characters of one place: kind, file and rank.
const PLACE_LEN: usize = 3;

/// A piece on a square, counted from the left corner of its owner, rank by rank.
pub(crate) type Place = (Kind, usize);

/// One side's pieces as their owner sees the board, so that layouts of both sides compare; kind by kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Layout(Vec<Place>);

/// A text is no layout.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is no layout of {}: {problem}", word(*side))]
pub(crate) struct LayoutError {
    text: String,
    side: Side,
    problem: String,
}

/// What a side of Eternal Chess is called.
pub(crate) const fn word(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

impl Layout {
    /// The layout of these places, in any order.
    pub(crate) fn new(places: impl IntoIterator<Item = Place>) -> Layout {
        let mut places: Vec<Place> = places.into_iter().collect();
        places.sort_unstable();
        Layout(places)
    }

    /// Reads the layout of `side` as the settings of `eternal-fixed` write it, `Ra1Nb1…`, in any order.
    ///
    /// # Errors
    /// If it is no layout that `eternal-fixed` allows.
    pub(crate) fn read(side: Side, text: &str) -> Result<Layout, LayoutError> {
        let failed = |problem| LayoutError { text: text.to_owned(), side, problem };
        // A comma or an equals sign would be read as another setting.
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(failed("expected letters and digits alone, as in `Ra1Nb1…`".to_owned()));
        }
        format!("eternal-fixed:{}={text}", word(side)).parse::<Variant>().map_err(|error| failed(error.to_string()))?;
        let places = text.as_bytes().chunks(PLACE_LEN).map(|place| read_place(side, place));
        places.collect::<Option<Vec<_>>>().map(Layout::new).ok_or_else(|| failed("expected `Ra1Nb1…`".to_owned()))
    }

    /// The side on whose ranks the pieces of `text` stand, by the first of them.
    pub(crate) fn side_of(text: &str) -> Option<Side> {
        let (_, square) = read_place(Side::Red, text.as_bytes().get(..PLACE_LEN)?)?;
        Some(if square / FullBoard::FILES < FullBoard::RANKS / 2 { Side::Red } else { Side::Black })
    }

    /// The text of the layout as that of `side`, kind by kind and rank by rank.
    pub(crate) fn text(&self, side: Side) -> String {
        self.0.iter().map(|&place| place_text(side, place)).collect()
    }

    /// The places, kind by kind.
    pub(crate) fn places(&self) -> &[Place] {
        &self.0
    }

    /// The reflection left to right.
    pub(crate) fn mirrored(&self) -> Layout {
        Layout::new(self.0.iter().map(|&(kind, square)| (kind, FullBoard::mirror(square))))
    }

    /// The same for a layout and its mirror image: the smaller of the two.
    pub(crate) fn up_to_mirror(&self) -> Layout {
        self.mirrored().min(self.clone())
    }
}

/// The text of a place: `Ra1`.
pub(crate) fn place_text(side: Side, (kind, square): Place) -> String {
    let square = FullBoard::relative(square, side);
    let file = char::from(b'a' + (square % FullBoard::FILES) as u8);
    format!("{}{file}{}", kind.letter(), square / FullBoard::FILES + 1)
}

/// Reads `Ra1`, a place of `side`.
pub(crate) fn read_place(side: Side, text: &[u8]) -> Option<Place> {
    let &[kind, file, rank] = text else { return None };
    let (file, rank) = (usize::from(file.checked_sub(b'a')?), usize::from(rank.checked_sub(b'1')?));
    let is_on_board = file < FullBoard::FILES && rank < FullBoard::RANKS;
    let square = is_on_board.then(|| FullBoard::relative(rank * FullBoard::FILES + file, side))?;
    Some((Kind::from_letter(char::from(kind))?, square))
}

/// The text of the position in which the playing phase begins with these layouts.
pub(crate) fn start(red: &Layout, black: &Layout) -> String {
    let variant = format!("eternal-fixed:red={},black={}", red.text(Side::Red), black.text(Side::Black));
    let variant: Variant = variant.parse().expect("layouts are what the settings allow");
    variant.dispatch(StartText)
}

struct StartText;

impl VariantVisitor for StartText {
    type Output = String;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> String {
        G::standard_start(&rules).fen()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: &str = "Ra1Nb1Bc1Bf1Ng1Rh1Cb3Cg3Md3Me3Pc4Pf4";

    #[test]
    fn the_order_of_placement_is_forgotten() {
        let one = Layout::read(Side::Red, RED).unwrap();
        let other = Layout::read(Side::Red, "Pf4Pc4Me3Md3Cg3Cb3Rh1Ng1Bf1Bc1Nb1Ra1").unwrap();
        assert_eq!(one, other);
        assert_eq!(one.text(Side::Red), "Ra1Rh1Nb1Ng1Cb3Cg3Bc1Bf1Md3Me3Pc4Pf4");
        assert_eq!(Layout::read(Side::Red, &one.text(Side::Red)), Ok(one));
    }

    #[test]
    fn layouts_of_both_sides_compare_as_their_owners_see_them() {
        let red = Layout::read(Side::Red, RED).unwrap();
        assert_eq!(red.text(Side::Black), "Ra9Rh9Nb9Ng9Cb7Cg7Bc9Bf9Md7Me7Pc6Pf6");
        assert_eq!(Layout::read(Side::Black, &red.text(Side::Black)), Ok(red));
        assert_eq!((Layout::side_of(RED), Layout::side_of("Ra9Rh9")), (Some(Side::Red), Some(Side::Black)));
        assert_eq!((Layout::side_of("R"), Layout::side_of("Rz9")), (None, None));
    }

    #[test]
    fn a_layout_equals_its_mirror_image_where_that_is_asked_for() {
        let one = Layout::read(Side::Red, "Ra1Nb1Bc1Bf1Ng1Rh1Ca3Cg3Md3Me3Pc4Pf4").unwrap();
        let image = Layout::read(Side::Red, "Ra1Nb1Bc1Bf1Ng1Rh1Cb3Ch3Md3Me3Pc4Pf4").unwrap();
        assert!(one != image && one.mirrored() == image && one.up_to_mirror() == image.up_to_mirror());
        let symmetric = Layout::read(Side::Red, RED).unwrap();
        assert_eq!(symmetric.mirrored(), symmetric);
    }

    #[test]
    fn the_start_is_that_of_the_variant() {
        let red = Layout::read(Side::Red, RED).unwrap();
        assert_eq!(start(&red, &red), "rnb2bnr/8/1c1mm1c1/2p2p2/********/2P2P2/1C1MM1C1/8/RNB2BNR r - 0-0 1");
    }

    #[test]
    fn what_is_no_layout_is_named() {
        for (text, problem) in [
            ("Ra1", "1 of the kind R, expected 2"),
            ("Ra1,black=Ra9", "expected letters and digits alone"),
            ("", "0 of the kind R"),
            ("Ra1Nb1Bc1Bf1Ng1Rh1Cb3Cg3Md3Me3Pc4Pf9", "`Pf9` is not on red's side"),
        ] {
            let error = Layout::read(Side::Red, text).unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains(&format!("`{text}` is no layout of red")), "{error}");
        }
    }
}
