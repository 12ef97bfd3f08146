//! Every legal move of many positions, of games and composed, is written and read back in every form.

use std::collections::HashSet;

use heng_env::variants::xiangqi::notation::Form;
use heng_env::variants::xiangqi::{FILES, RANKS, Xiangqi};
use heng_env::{Action, Game, Notation, Purpose, Rng, Seeds, Side};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};

/// What the positions of a run were like, so that a run that misses the difficult ones is noticed.
#[derive(Debug, Default)]
struct Census {
    positions: usize,
    moves: usize,
    /// Positions in which the mover has this many soldiers on its fullest file.
    soldiers_on_file: [usize; 6],
    /// Positions in which the mover's soldiers share two files.
    two_shared_files: usize,
    /// Positions in which the mover's two advisors, or two elephants, share a file.
    shared_by_guards: usize,
}

impl Census {
    fn check(&mut self, game: &Xiangqi) {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        for form in Form::ALL {
            let mut texts = HashSet::new();
            for &action in &actions {
                let text = game.move_text(action, form);
                assert_eq!(game.read_move(&text, form), Ok(action), "{form} {text} in {}", game.fen());
                assert!(form == Form::Iccs || game.parse_turn(&text) == Ok(vec![action]), "{text} in {}", game.fen());
                assert!(texts.insert(text), "two moves are written alike in {form}: {}", game.fen());
            }
        }
        self.count(game, &actions);
    }

    fn count(&mut self, game: &Xiangqi, actions: &[Action]) {
        self.positions += 1;
        self.moves += actions.len();
        let soldiers = on_files(game, 'p');
        self.soldiers_on_file[soldiers.into_iter().max().unwrap_or_default()] += 1;
        self.two_shared_files += usize::from(soldiers.into_iter().filter(|&count| count > 1).count() > 1);
        let has_pair = |letter: char| on_files(game, letter).contains(&2);
        self.shared_by_guards += usize::from(has_pair('a') || has_pair('b'));
    }
}

/// How many pieces with this letter the mover has on each file.
fn on_files(game: &Xiangqi, letter: char) -> [usize; FILES] {
    let letter = if game.side_to_act() == Side::Red { letter.to_ascii_uppercase() } else { letter };
    let mut counts = [0; FILES];
    for square in 0..FILES * RANKS {
        let piece = game.position().piece_at(square);
        counts[square % FILES] += usize::from(piece.is_some_and(|piece| piece.letter() == letter));
    }
    counts
}

/// Pieces put on an empty board, red's point of view for both sides.
struct Composer<'a> {
    squares: [char; FILES * RANKS],
    rng: &'a mut Rng,
}

impl Composer<'_> {
    /// Puts up to `count` pieces on free points of the given files and ranks.
    fn put(&mut self, letter: char, count: usize, files: &[usize], ranks: std::ops::Range<usize>) {
        for _ in 0..count {
            let file = *files.choose(self.rng).expect("there are files");
            let rank = self.rng.random_range(ranks.clone());
            let rank = if letter.is_ascii_uppercase() { rank } else { RANKS - 1 - rank };
            let square = &mut self.squares[rank * FILES + file];
            if *square == '.' {
                *square = letter;
            }
        }
    }

    /// One side's pieces: soldiers on few files, pairs of other kinds on one file or anywhere.
    fn put_side(&mut self, letter_of: fn(char) -> char) {
        let all: Vec<usize> = (0..FILES).collect();
        self.put(letter_of('k'), 1, &[3, 4, 5], 0..3);
        let soldier_files = self.rng.random_range(1..=3);
        let files: Vec<usize> = all.sample(self.rng, soldier_files).copied().collect();
        self.put(letter_of('p'), 5, &files, 3..RANKS);
        let advisor_files: Vec<usize> = [3, 4, 5].sample(self.rng, 2).copied().collect();
        self.put(letter_of('a'), 2, &advisor_files, 0..3);
        let elephant_files: Vec<usize> = all.sample(self.rng, 2).copied().collect();
        self.put(letter_of('b'), 2, &elephant_files, 0..RANKS / 2);
        for letter in ['n', 'r', 'c'] {
            let file_count = self.rng.random_range(1..=3);
            let files: Vec<usize> = all.sample(self.rng, file_count).copied().collect();
            let count = self.rng.random_range(0..=2);
            self.put(letter_of(letter), count, &files, 0..RANKS);
        }
    }

    fn position_text(&self, side: char) -> String {
        let ranks = self.squares.chunks(FILES).rev().map(|rank| {
            let mut text: String = rank.iter().collect();
            for empty in (1..=FILES).rev() {
                text = text.replace(&".".repeat(empty), &empty.to_string());
            }
            text
        });
        format!("{} {side} - - 0 1", ranks.collect::<Vec<_>>().join("/"))
    }
}

/// A composed position that the rules allow.
fn compose(rng: &mut Rng) -> Xiangqi {
    loop {
        let side = *['w', 'b'].choose(rng).expect("there are two sides");
        let mut composer = Composer { squares: ['.'; FILES * RANKS], rng };
        let mut sides: [fn(char) -> char; 2] = [|letter| letter, |letter| letter.to_ascii_uppercase()];
        sides.shuffle(composer.rng);
        sides.into_iter().for_each(|letter_of| composer.put_side(letter_of));
        if let Ok(game) = Xiangqi::from_fen(&Default::default(), &composer.position_text(side)) {
            return game;
        }
    }
}

/// Positions of random games from the start.
fn play(rng: &mut Rng, count: usize, mut visit: impl FnMut(&Xiangqi)) {
    let mut actions = Vec::new();
    let mut game = super::game(super::START);
    for _ in 0..count {
        visit(&game);
        game.legal_actions(&mut actions);
        match actions.choose(rng) {
            Some(&action) => game.apply(action),
            None => game = super::game(super::START),
        }
    }
}

fn check(composed: usize, played: usize) -> Census {
    let mut census = Census::default();
    let mut rng = Seeds::new(11).stream(Purpose::Test, 0);
    for _ in 0..composed {
        census.check(&compose(&mut rng));
    }
    play(&mut rng, played, |game| census.check(game));
    census
}

#[test]
fn every_move_is_written_differently_and_read_back() {
    let census = check(300, 100);
    assert!(census.soldiers_on_file[2..].iter().all(|&count| count >= 5), "{census:?}");
    assert!(census.two_shared_files >= 50 && census.shared_by_guards >= 50, "{census:?}");
}

/// `cargo test --release -p heng-env --test rules ten_thousand -- --ignored --nocapture`
#[test]
#[ignore = "the same on more positions"]
fn every_move_of_ten_thousand_positions_is_written_differently_and_read_back() {
    println!("{:?}", check(7_000, 3_000));
}
