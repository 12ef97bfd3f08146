//! Where one side's pieces stand at the start, as it is written: `Ra1Nb1…`.

use super::board::{Board, parse_square, square_text};
use super::piece::{Kind, side_name};
use crate::Side;

/// Where one side's pieces stand at the start.
pub type Layout = Vec<(Kind, usize)>;

/// Pieces of one kind that each side has.
const PIECES_OF_A_KIND: usize = 2;

/// Characters of one place: kind, file and rank.
const PLACE_LEN: usize = 3;

/// Reads the layout of `side`, in squares of the board; the error says what is wrong with it.
pub(super) fn read<B: Board>(side: Side, text: &str) -> Result<Layout, String> {
    if !text.is_ascii() {
        return Err(format!("`{text}` is not of the form `Ra1Nb1…`"));
    }
    let layout: Layout = text.as_bytes().chunks(PLACE_LEN).map(read_place::<B>).collect::<Result<_, _>>()?;
    for (index, &(kind, square)) in layout.iter().enumerate() {
        let place = || format!("`{}{}`", kind.letter(), square_text::<B>(square));
        if B::home(side) >> square & 1 == 0 {
            return Err(format!("{} is not on {}'s side", place(), side_name(side)));
        }
        if layout[..index].iter().any(|&(_, earlier)| earlier == square) {
            return Err(format!("{} is the second piece on its square", place()));
        }
    }
    for &kind in B::kinds() {
        let count = layout.iter().filter(|&&(found, _)| found == kind).count();
        if count != PIECES_OF_A_KIND {
            return Err(format!("{count} of the kind {}, expected {PIECES_OF_A_KIND}", kind.letter()));
        }
    }
    if layout.iter().filter(|&&(_, square)| B::palace(side) >> square & 1 != 0).count() > 1 {
        return Err(format!("{}'s palace holds more than one piece", side_name(side)));
    }
    Ok(layout)
}

fn read_place<B: Board>(place: &[u8]) -> Result<(Kind, usize), String> {
    let text = String::from_utf8_lossy(place);
    let kinds: String = B::kinds().iter().map(|kind| kind.letter()).collect();
    let kind = Kind::from_letter(place[0] as char).filter(|kind| B::kinds().contains(kind));
    let square = text.get(1..).and_then(parse_square::<B>);
    kind.zip(square).ok_or_else(|| format!("`{text}` is not a kind of {kinds} and a square"))
}

#[cfg(test)]
mod tests {
    use crate::{Notation, Purpose, Seeds, Variant, variants::VariantVisitor};

    struct Starts;

    impl VariantVisitor for Starts {
        type Output = (String, bool);

        fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> (String, bool) {
            let mut rng = Seeds::new(7).stream(Purpose::Test, 0);
            (G::start(&rules, &mut rng).fen(), G::has_random_start(&rules))
        }
    }

    #[test]
    fn a_layout_replaces_the_one_of_its_side() {
        let start = |text: &str| text.parse::<Variant>().expect("a variant").dispatch(Starts);
        let fixed = "eternal-fixed:red=Rb1Na1Bc1Bf1Ng1Rh1Cb3Cg3Me1Me3Pc4Pf4,turn_limit=50";
        let board = "rnb2bnr/8/1c1mm1c1/2p2p2/********/2P2P2/1C2M1C1/8/NRB1MBNR r - 0-0 1";
        assert_eq!(start(fixed), (board.to_owned(), false));
        let both = "eternal-mini:red=Ra1Rb1Na2Nb2Ca3Cb3,black=Ra7Rb7Na6Nb6Ca5Cb5";
        assert_eq!(start(both), ("rr4/nn4/cc4/******/CC4/NN4/RR4 r - 0-0 1".to_owned(), false));
        let (text, is_random) = start("eternal-mini:red=Ra1Rb1Na2Nb2Ca3Cb3");
        assert!(is_random && text.contains("/******/CC4/NN4/RR4 "), "{text}");
    }

    #[test]
    fn bad_settings_are_named() {
        let cases = [
            ("eternal-mini:red=", "setting `red`: 0 of the kind R, expected 2"),
            ("eternal-mini:red=Ra1", "setting `red`: 1 of the kind R, expected 2"),
            ("eternal-mini:red=Ra1Rb1Na2Nb2Ca3Cb", "setting `red`: `Cb` is not a kind of RNC and a square"),
            ("eternal-mini:red=Ra1Rb1Na2Nb2Ca3Bb3", "setting `red`: `Bb3` is not a kind of RNC and a square"),
            ("eternal-mini:red=Ra1Rb1Na2Nb2Ca3Cb4", "setting `red`: `Cb4` is not on red's side"),
            ("eternal-mini:black=Ra1Rb1Na2Nb2Ca3Cb3", "setting `black`: `Ra1` is not on black's side"),
            ("eternal-mini:red=Ra1Rb1Na2Nb2Ca3Ca3", "setting `red`: `Ca3` is the second piece on its square"),
            ("eternal-mini:red=Rc1Rd1Na2Nb2Ca3Cb3", "setting `red`: red's palace holds more than one piece"),
            ("eternal-mini:red=车a1", "setting `red`: `车a1` is not of the form `Ra1Nb1…`"),
            ("eternal-free:turn_limit=0", "setting `turn_limit`: `0` is not a number of turns from 1 to 10000"),
            ("eternal-free:red=Ra1", "variant `eternal-free` has no setting `red`, expected one of turn_limit"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Variant>().expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
