//! Moves and endings against a second reading of the rules, slow and plain: every piece walks over a board of files and
//! ranks, every move is played, and then it is looked whether the general is attacked.

use std::ops::Range;
use std::sync::Arc;

use rand::RngExt;
use rand::seq::IndexedRandom;

use super::Wuji;
use super::fen;
use super::list::AT_ONCE;
use super::options::{Bomb, Options, Promotion, RoyalZone, Rules};
use super::piece::{Kind, Piece};
use super::points::{Point, Points, SLOTS, SQUARES};
use crate::{Action, Game, Notation, Outcome, Purpose, Reason, Rng, Seeds, Side};

const STRAIGHT: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// A board that knows nothing but what stands where.
#[derive(Clone)]
struct Slow {
    options: Options,
    side: Side,
    board: [Option<Piece>; SLOTS],
}

impl Slow {
    fn of(game: &Wuji) -> Slow {
        let position = game.position();
        let mut board = [None; SLOTS];
        Points::BOARD.iter().for_each(|point| board[point.index()] = position.piece_at(point));
        Slow { options: *position.options(), side: position.side(), board }
    }

    fn at(&self, point: Point) -> Option<Piece> {
        self.board[point.index()]
    }

    fn set(&mut self, point: Point, piece: Option<Piece>) {
        self.board[point.index()] = piece;
    }

    fn pieces(&self) -> impl Iterator<Item = (Point, Piece)> {
        Points::BOARD.iter().filter_map(|point| Some((point, self.at(point)?)))
    }

    fn general(&self, side: Side) -> Point {
        let general = Piece { side, kind: Kind::General };
        self.pieces().find(|&(_, piece)| piece == general).expect("a general").0
    }

    fn in_zone(&self, side: Side, point: Point) -> bool {
        let rank = if side == Side::Red { point.rank() } else { 11 - point.rank() };
        match self.options.royal_zone {
            RoyalZone::Palace => rank < 3 && (5..8).contains(&point.file()),
            RoyalZone::Half => rank < 6,
        }
    }

    fn walk(&self, from: Point, directions: &[(isize, isize)]) -> Vec<Point> {
        let mut ends = Vec::new();
        for &(files, ranks) in directions {
            for end in (1..).map_while(|distance| from.offset(files * distance, ranks * distance)) {
                ends.push(end);
                if self.at(end).is_some() {
                    break;
                }
            }
        }
        ends
    }

    fn cannon_ends(&self, from: Point) -> Vec<Point> {
        let mut ends = Vec::new();
        for (files, ranks) in STRAIGHT {
            let mut screens = 0;
            for end in (1..).map_while(|distance| from.offset(files * distance, ranks * distance)) {
                let is_occupied = self.at(end).is_some();
                if screens == 0 && !is_occupied || screens == 1 && is_occupied {
                    ends.push(end);
                }
                screens += usize::from(is_occupied);
            }
        }
        ends
    }

    fn apart(from: Point, is_reached: impl Fn(usize, usize) -> bool) -> Vec<Point> {
        let apart = |to: &Point| (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
        Points::BOARD.iter().filter(|to| is_reached(apart(to).0, apart(to).1)).collect()
    }

    fn ends(&self, from: Point, piece: Piece) -> Vec<Point> {
        let knight = || Self::apart(from, |files, ranks| files + ranks == 3 && files != 0 && ranks != 0);
        let camel = || Self::apart(from, |files, ranks| files.min(ranks) == 1 && files.max(ranks) == 3);
        let minister = || [self.walk(from, &STRAIGHT), self.walk(from, &DIAGONAL)].concat();
        let ends = match piece.kind {
            Kind::General => Self::apart(from, |files, ranks| files.max(ranks) == 1),
            Kind::Guard => self.guard_ends(from, piece.side),
            Kind::Minister => minister(),
            Kind::Rook => self.walk(from, &STRAIGHT),
            Kind::Knight => knight(),
            Kind::Camel => camel(),
            Kind::Cannon => self.cannon_ends(from),
            Kind::Bishop | Kind::Blocker => self.walk(from, &DIAGONAL),
            Kind::Bomb => match self.options.bomb {
                Bomb::Slide => self.walk(from, &STRAIGHT),
                Bomb::Five => Self::apart(from, |files, ranks| files + ranks == 5),
            },
            Kind::Pawn => self.pawn_ends(from, piece.side),
            Kind::Promoted => [minister(), knight(), camel()].concat(),
        };
        let is_free = |&to: &Point| self.at(to).is_none_or(|target| self.captures(from, piece, to, target));
        let is_inside = |&to: &Point| piece.kind != Kind::General || self.in_zone(piece.side, to);
        ends.into_iter().filter(is_free).filter(is_inside).collect()
    }

    fn guard_ends(&self, from: Point, side: Side) -> Vec<Point> {
        let is_step = |to: Point| from.file().abs_diff(to.file()) == 1 && from.rank().abs_diff(to.rank()) == 1;
        let general = self.general(side);
        let is_beside = |to: Point| general.file().abs_diff(to.file()) + general.rank().abs_diff(to.rank()) == 1;
        Points::BOARD
            .iter()
            .filter(|&to| self.in_zone(side, to))
            .filter(|&to| self.in_zone(side, from) && is_step(to) || is_beside(to) && self.at(to).is_none())
            .collect()
    }

    fn pawn_ends(&self, from: Point, side: Side) -> Vec<Point> {
        let (ahead, is_across) = if side == Side::Red { (1, from.rank() >= 6) } else { (-1, from.rank() < 6) };
        let mut steps = vec![(0, ahead)];
        if is_across {
            steps.extend([(-1, ahead), (1, ahead)]);
            if self.options.pawn_sideways {
                steps.extend([(-1, 0), (1, 0)]);
            }
        }
        steps.into_iter().filter_map(|(files, ranks)| from.offset(files, ranks)).collect()
    }

    fn captures(&self, from: Point, piece: Piece, to: Point, target: Piece) -> bool {
        let (is_own_half, is_backward) = match piece.side {
            Side::Red => (from.rank() < 6, to.rank() < from.rank()),
            Side::Black => (from.rank() >= 6, to.rank() > from.rank()),
        };
        target.side != piece.side
            && match (piece.kind, target.kind) {
                (Kind::Bomb, _) => true,
                (_, Kind::Blocker) => false,
                (Kind::General, Kind::Bomb) => false,
                (Kind::Blocker, Kind::Bomb) => true,
                (Kind::Blocker, _) => is_own_half && is_backward,
                _ => true,
            }
    }

    fn is_attacked(&self, side: Side) -> bool {
        let (general, other) = (self.general(side), self.general(side.other()));
        let ranks = general.rank().min(other.rank()) + 1..general.rank().max(other.rank());
        let faces = general.file() == other.file()
            && ranks.into_iter().all(|rank| self.at(Point::new(general.file(), rank)).is_none());
        faces || self.pieces().any(|(from, piece)| piece.side != side && self.ends(from, piece).contains(&general))
    }

    fn after(&self, from: Point, to: Point) -> Slow {
        let mut after = self.clone();
        let (mover, target) = (self.at(from).expect("a piece"), self.at(to));
        after.set(from, None);
        after.set(to, None);
        let is_bomb = |piece: Piece| piece.kind == Kind::Bomb;
        if target.is_none_or(|target| !is_bomb(mover) && !is_bomb(target)) {
            after.set(to, Some(mover));
        }
        after
    }

    fn moves(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.side == self.side) {
            let ends = self.ends(from, piece).into_iter();
            for to in ends.filter(|&to| !self.after(from, to).is_attacked(self.side)) {
                texts.push(from.text() + &to.text());
            }
        }
        // A promoted pawn may reach one point in two ways.
        texts.sort();
        texts.dedup();
        texts
    }

    fn thrones(&self) -> Vec<String> {
        let able = |kind| {
            let able = Piece { side: self.side, kind };
            self.pieces().filter(move |&(_, piece)| piece == able).map(|(point, _)| point).collect::<Vec<_>>()
        };
        let able = if able(Kind::Minister).is_empty() { able(Kind::Rook) } else { able(Kind::Minister) };
        let mut texts = Vec::new();
        for given in able {
            for place in Points::BOARD {
                let is_open = if self.in_zone(self.side, given) {
                    place == given
                } else {
                    self.in_zone(self.side, place) && self.at(place).is_none()
                };
                let mut after = self.clone();
                after.set(given, None);
                after.set(self.general(self.side), None);
                after.set(place, Some(Piece { side: self.side, kind: Kind::General }));
                if is_open && !after.is_attacked(self.side) {
                    texts.push(format!("{}@{}", given.text(), place.text()));
                }
            }
        }
        texts.sort();
        texts
    }

    /// Legal steps, and how the game ended, draws by repetition and limits apart.
    fn verdict(&self) -> (Vec<String>, Option<Outcome>) {
        let moves = self.moves();
        if !moves.is_empty() {
            return (moves, None);
        }
        if !self.is_attacked(self.side) {
            return (moves, Some(Outcome::draw(Reason::Stalemate)));
        }
        let thrones = if self.options.able_throne { self.thrones() } else { Vec::new() };
        let is_lost = thrones.is_empty();
        (thrones, is_lost.then_some(Outcome::win(self.side.other(), Reason::Mate)))
    }
}

/// All 32 combinations of settings.
fn every_options() -> Vec<Options> {
    (0..32_u8)
        .map(|bits| Options {
            royal_zone: if bits & 1 == 0 { RoyalZone::Palace } else { RoyalZone::Half },
            bomb: if bits & 2 == 0 { Bomb::Slide } else { Bomb::Five },
            pawn_sideways: bits & 4 != 0,
            promotion: if bits & 8 == 0 { Promotion::Minister } else { Promotion::All },
            able_throne: bits & 16 != 0,
        })
        .collect()
}

fn rules(options: Options) -> Arc<Rules> {
    Rules::standard(options)
}

fn legal(game: &Wuji) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    actions
}

/// What was seen of the rarer things, so that a test knows that it saw them.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    checks: usize,
    mates: usize,
    stalemates: usize,
    thrones: usize,
}

impl Tally {
    fn compare(&mut self, game: &Wuji) {
        let game = game.without_draw_rules();
        let slow = Slow::of(&game);
        let (expected, outcome) = slow.verdict();
        let mut found: Vec<String> = legal(&game).into_iter().map(|action| game.step_text(action)).collect();
        found.sort();
        assert_eq!(found, expected, "{} {:?}", game.fen(), game.position().options());
        assert_eq!(game.outcome(), outcome, "{} {:?}", game.fen(), game.position().options());
        assert_eq!(game.in_check(), slow.is_attacked(slow.side), "{}", game.fen());
        self.positions += 1;
        self.checks += usize::from(game.in_check());
        self.mates += usize::from(outcome.is_some_and(|outcome| outcome.reason == Reason::Mate));
        self.stalemates += usize::from(outcome.is_some_and(|outcome| outcome.reason == Reason::Stalemate));
        self.thrones += usize::from(game.throne_is_due());
    }
}

/// A position with some pieces anywhere, if the rules allow what came out.
fn scattered(options: Options, pieces: Range<usize>, rng: &mut Rng) -> Option<Wuji> {
    let mut position = super::Position::empty(options);
    for side in Side::BOTH {
        let place = *options.zone(side).iter().collect::<Vec<_>>().choose(rng)?;
        position.put(Piece { side, kind: Kind::General }, place);
    }
    for _ in 0..rng.random_range(pieces) {
        let side = if rng.random_bool(0.5) { Side::Red } else { Side::Black };
        let kind = *Kind::ALL[1..].choose(rng)?;
        let point = Point::from_square(rng.random_range(0..SQUARES));
        if position.piece_at(point).is_none() {
            position.put(Piece { side, kind }, point);
        }
    }
    let side = if rng.random_bool(0.5) { Side::Red } else { Side::Black };
    position.set_state(side, 0, 1);
    Wuji::from_fen(&rules(options), &fen::write(&position)).ok()
}

#[test]
fn moves_and_endings_of_scattered_positions_are_those_of_the_plain_rules() {
    let mut tally = Tally::default();
    for (index, options) in every_options().into_iter().enumerate() {
        let mut rng = Seeds::new(11).stream(Purpose::Test, index as u64);
        // Few pieces leave stalemates and mates, many leave pins and screens.
        for game in (0..300).filter_map(|_| scattered(options, 2..40, &mut rng)) {
            tally.compare(&game);
        }
    }
    assert!(tally.checks > 500 && tally.mates > 50 && tally.stalemates > 0 && tally.thrones > 10, "{tally:?}");
}

#[test]
fn moves_of_more_pieces_than_a_game_has_are_those_of_the_plain_rules() {
    let mut tally = Tally::default();
    for (index, options) in every_options().into_iter().enumerate() {
        let mut rng = Seeds::new(13).stream(Purpose::Test, index as u64);
        let games = (0..2000).filter_map(|_| scattered(options, 60..120, &mut rng));
        let own = |game: &Wuji| game.position().of_side(game.side_to_act()).count();
        games.filter(|game| own(game) > AT_ONCE).take(3).for_each(|game| tally.compare(&game));
    }
    assert!(tally.positions > 20, "{tally:?}");
}

#[test]
fn moves_and_endings_of_random_games_are_those_of_the_plain_rules() {
    let mut tally = Tally::default();
    for (index, options) in every_options().into_iter().enumerate() {
        let mut rng = Seeds::new(12).stream(Purpose::Test, index as u64);
        let mut game = Wuji::start(&rules(options), &mut rng);
        let mut number = 0;
        while let Some(&action) = legal(&game).choose(&mut rng) {
            game.apply(action);
            number += 1;
            if number % 10 == 0 || game.in_check() || game.outcome().is_some() {
                tally.compare(&game);
            }
        }
    }
    assert!(tally.positions > 1500 && tally.checks > 300 && tally.mates > 5, "{tally:?}");
}
