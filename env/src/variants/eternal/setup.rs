//! Set-ups and limits: what a game starts from, and the settings that change it (RULES 1.3).

use std::sync::Arc;

use rand::seq::SliceRandom;

use super::board::{Board, FullBoard, MiniBoard};
use super::layout::{self, Layout};
use super::piece::{Kind, Piece};
use super::position::{Phase, Position};
use crate::variants::{Settings, VariantError};
use crate::{Rng, Side};

/// Settings of `eternal-free`.
pub const FREE_KEYS: &[&str] = &["turn_limit"];
/// Settings of `eternal-fixed` and `eternal-mini`.
pub const LAYOUT_KEYS: &[&str] = &["turn_limit", "red", "black"];

/// Turns of the placement phase, both sides' counted.
pub(super) const PLACEMENT_TURNS: usize = 6;

/// What the playing phase starts from.
#[derive(Clone, Debug)]
pub enum Setup {
    /// The players place their pieces.
    Placement,
    /// Each side's layout; `None` leaves it to chance.
    Layouts([Option<Layout>; 2]),
}

/// What stays fixed during a game.
#[derive(Clone, Debug)]
pub struct Rules<B: Board> {
    /// Turns of the playing phase, both sides' counted, after which the game is a draw.
    pub turn_limit: u16,
    /// What the playing phase starts from.
    pub setup: Setup,
    board: std::marker::PhantomData<B>,
}

/// The stand-in layout of `eternal-fixed`, as red places it.
const FIXED_LAYOUT: &str = "Ra1Nb1Bc1Bf1Ng1Rh1Cb3Cg3Md3Me3Pc4Pf4";
/// The set-up that stands for `eternal-mini` in tables, as red places it.
const MINI_LAYOUT: &str = "Rb3Rc3Nd3Ne3Cc2Cd2";

impl<B: Board> Rules<B> {
    /// The start of a new game.
    pub(super) fn start_position(&self, rng: &mut Rng) -> Position<B> {
        self.position_with(|side| random_layout::<B>(side, rng))
    }

    /// The start that stands for the variant.
    pub(super) fn standard_position(&self) -> Position<B> {
        self.position_with(|side| own_layout::<B>(MINI_LAYOUT, side))
    }

    /// Every start, by red's layout and then by black's.
    pub(super) fn all_start_positions(&self) -> Vec<Position<B>> {
        let Setup::Layouts(layouts) = &self.setup else { return vec![placement_start()] };
        let layouts = Side::BOTH.map(|side| match &layouts[side.index()] {
            Some(layout) => vec![layout.clone()],
            None => all_layouts::<B>(side),
        });
        let start = |red: &Layout, black: &Layout| {
            let mut position = Position::empty(Phase::Turn);
            put(&mut position, Side::Red, red);
            put(&mut position, Side::Black, black);
            position
        };
        layouts[0].iter().flat_map(|red| layouts[1].iter().map(move |black| start(red, black))).collect()
    }

    /// The start with `choose` for the sides whose layout is left to chance, red first.
    fn position_with(&self, mut choose: impl FnMut(Side) -> Layout) -> Position<B> {
        let Setup::Layouts(layouts) = &self.setup else { return placement_start() };
        let mut position = Position::empty(Phase::Turn);
        for side in Side::BOTH {
            match &layouts[side.index()] {
                Some(layout) => put(&mut position, side, layout),
                None => put(&mut position, side, &choose(side)),
            }
        }
        position
    }

    /// Whether a side's set-up is left to chance.
    pub(super) fn has_random_start(&self) -> bool {
        matches!(&self.setup, Setup::Layouts(layouts) if layouts.iter().any(Option::is_none))
    }
}

fn placement_start<B: Board>() -> Position<B> {
    let mut position = Position::empty(Phase::Placement);
    for side in Side::BOTH {
        B::kinds().iter().for_each(|&kind| position.set_hand(side, kind, 2));
    }
    position
}

fn put<B: Board>(position: &mut Position<B>, side: Side, layout: &Layout) {
    layout.iter().for_each(|&(kind, square)| position.put(Piece { side, kind }, square));
}

/// One of the 90 arrangements of `eternal-mini`, each as likely.
fn random_layout<B: Board>(side: Side, rng: &mut Rng) -> Layout {
    let mut layout = own_layout::<B>(MINI_LAYOUT, side);
    let mut kinds: Vec<Kind> = layout.iter().map(|&(kind, _)| kind).collect();
    kinds.shuffle(rng);
    layout.iter_mut().zip(kinds).for_each(|(place, kind)| place.0 = kind);
    layout
}

/// The 90 arrangements of `eternal-mini`.
fn all_layouts<B: Board>(side: Side) -> Vec<Layout> {
    let standard = own_layout::<B>(MINI_LAYOUT, side);
    let count = |layout: &Layout, kind: Kind| layout.iter().filter(|place| place.0 == kind).count();
    let mut begun = vec![Layout::new()];
    for &(_, square) in &standard {
        let with = |layout: &Layout, kind: Kind| layout.iter().copied().chain([(kind, square)]).collect();
        let longer = |layout: &Layout| {
            let is_left = |kind: &&Kind| count(layout, **kind) < count(&standard, **kind);
            B::kinds().iter().filter(is_left).map(|&kind| with(layout, kind)).collect::<Vec<Layout>>()
        };
        begun = begun.iter().flat_map(longer).collect();
    }
    begun
}

/// The layout that red writes as `text`, for `side`: black's is the mirror image by ranks.
fn own_layout<B: Board>(text: &str, side: Side) -> Layout {
    let layout = layout::read::<B>(Side::Red, text).expect("a built-in layout is right");
    layout.into_iter().map(|(kind, square)| (kind, B::relative(square, side))).collect()
}

fn rules<B: Board>(settings: &Settings<'_>, setup: Setup) -> Result<Arc<Rules<B>>, VariantError> {
    let turn_limit = settings.get("turn_limit", |text| match text.parse() {
        Ok(limit @ 1..=10_000) => Ok(limit),
        _ => Err(format!("`{text}` is not a number of turns from 1 to 10000")),
    })?;
    let turn_limit = turn_limit.unwrap_or(B::DEFAULT_TURN_LIMIT);
    Ok(Arc::new(Rules { turn_limit, setup, board: std::marker::PhantomData }))
}

/// The layouts of both sides that are set.
fn layouts<B: Board>(settings: &Settings<'_>) -> Result<[Option<Layout>; 2], VariantError> {
    let red = settings.get("red", |text| layout::read::<B>(Side::Red, text))?;
    let black = settings.get("black", |text| layout::read::<B>(Side::Black, text))?;
    Ok([red, black])
}

/// `eternal-free` under `settings`.
///
/// # Errors
/// If a setting has an impossible value.
pub fn free_rules(settings: &Settings<'_>) -> Result<Arc<Rules<FullBoard>>, VariantError> {
    rules(settings, Setup::Placement)
}

/// `eternal-fixed` under `settings`.
///
/// # Errors
/// If a setting has an impossible value.
pub fn fixed_rules(settings: &Settings<'_>) -> Result<Arc<Rules<FullBoard>>, VariantError> {
    let [red, black] = layouts::<FullBoard>(settings)?;
    let standard = |side| Some(own_layout::<FullBoard>(FIXED_LAYOUT, side));
    let layouts = [red.or_else(|| standard(Side::Red)), black.or_else(|| standard(Side::Black))];
    rules(settings, Setup::Layouts(layouts))
}

/// `eternal-mini` under `settings`.
///
/// # Errors
/// If a setting has an impossible value.
pub fn mini_rules(settings: &Settings<'_>) -> Result<Arc<Rules<MiniBoard>>, VariantError> {
    rules(settings, Setup::Layouts(layouts::<MiniBoard>(settings)?))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::{Notation, Purpose, Seeds, Variant, variants::VariantVisitor};

    struct Starts;

    impl VariantVisitor for Starts {
        type Output = (Vec<String>, String, String);

        fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Self::Output {
            let random = G::start(&rules, &mut Seeds::new(3).stream(Purpose::Test, 0));
            let all = G::all_starts(&rules).iter().map(G::fen).collect();
            (all, random.fen(), G::standard_start(&rules).fen())
        }
    }

    #[test]
    fn all_starts_are_those_that_chance_may_choose() {
        for (text, count) in [
            ("eternal-mini", 90 * 90),
            ("eternal-mini:red=Ra1Rb1Na2Nb2Ca3Cb3", 90),
            ("eternal-fixed", 1),
            ("eternal-free", 1),
            ("xiangqi", 1),
        ] {
            let (all, random, standard) = text.parse::<Variant>().unwrap().dispatch(Starts);
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), count, "{text}");
            assert!(all.len() == count && all.contains(&random) && all.contains(&standard), "{text}");
        }
    }
}
