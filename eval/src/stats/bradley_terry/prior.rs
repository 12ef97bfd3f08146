//! Results that nobody had, added only where the likelihood alone has no finite maximum.

use super::{RatedGame, groups};

/// The weight of what is added for a group of players: half a draw, shared out among the games that lead out of the
/// group. BayesElo adds a multiple of this to every player (its `prior`, of two draws); here players who won and lost
/// something against the rest get none.
const GROUP_WEIGHT: f64 = 0.5;

/// The weight of what is added to the first mover's advantage, where whoever wins always moved first, or always second.
const FIRST_MOVER_WEIGHT: f64 = 0.5;

/// The weight of a result other than a draw, where there are draws only.
const DECISIVE_WEIGHT: f64 = 0.5;

/// What is added. Each of it draws a number towards 0, and towards nothing else.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Prior {
    /// Half a win for each of two players, and its weight.
    pub(super) draws: Vec<(usize, usize, f64)>,
    /// The same for moving first and moving second.
    pub(super) first_mover: f64,
    /// The weight of a result between equals that was no draw.
    pub(super) decisive: f64,
}

impl Prior {
    /// What `games` need.
    pub(super) fn for_games(players: usize, games: &[RatedGame], with_first_mover: bool) -> Prior {
        let decisive = || games.iter().filter(|game| game.half_points != 1);
        let has_decisive = decisive().next().is_some();
        let is_one_sided =
            !decisive().any(|game| game.half_points == 0) || !decisive().any(|game| game.half_points == 2);
        Prior {
            draws: draws(players, games),
            first_mover: if with_first_mover && has_decisive && is_one_sided { FIRST_MOVER_WEIGHT } else { 0.0 },
            decisive: if has_decisive { 0.0 } else { DECISIVE_WEIGHT },
        }
    }

    /// What is enough for any games: half a draw for every player, and for moving first.
    pub(super) fn everywhere(players: usize, games: &[RatedGame]) -> Prior {
        let mut games_of = vec![0_u64; players];
        for game in games {
            games_of[game.first] += 1;
            games_of[game.second] += 1;
        }
        let share = |player: usize| GROUP_WEIGHT / games_of[player] as f64;
        let draw = |game: &RatedGame| (game.first, game.second, share(game.first) + share(game.second));
        Prior { draws: games.iter().map(draw).collect(), first_mover: FIRST_MOVER_WEIGHT, decisive: DECISIVE_WEIGHT }
    }

    /// Whether nothing is added.
    pub(super) fn is_empty(&self) -> bool {
        self.draws.is_empty() && self.first_mover == 0.0 && self.decisive == 0.0
    }
}

fn draws(players: usize, games: &[RatedGame]) -> Vec<(usize, usize, f64)> {
    let group_of = groups::mutually_scoring(players, games);
    let leads_out = |game: &&RatedGame| group_of[game.first] != group_of[game.second];
    let mut games_out = vec![0_u64; players];
    for game in games.iter().filter(leads_out) {
        games_out[group_of[game.first]] += 1;
        games_out[group_of[game.second]] += 1;
    }
    let share = |player: usize| GROUP_WEIGHT / games_out[group_of[player]] as f64;
    let draws = games.iter().filter(leads_out);
    draws.map(|game| (game.first, game.second, share(game.first) + share(game.second))).collect()
}
