//! Who won, in all the ways in which files say it.

use heng_env::{Outcome, Side};

/// The result of a saved game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum GameResult {
    /// Red has won.
    RedWon,
    /// Black has won, called green in Wuji chess.
    BlackWon,
    /// Nobody has won.
    Draw,
    /// Not known, or not played to the end.
    #[default]
    Unfinished,
}

impl GameResult {
    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::RedWon => "1-0",
            GameResult::BlackWon => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unfinished => "*",
        }
    }

    /// As Chinese files write it.
    pub(super) const fn chinese(self) -> &'static str {
        match self {
            GameResult::RedWon => "红胜",
            GameResult::BlackWon => "黑胜",
            GameResult::Draw => "和棋",
            GameResult::Unfinished => "未知",
        }
    }

    /// Reads `red`, `black` or `draw`, as the games of a run have it.
    pub(crate) fn named(outcome: &str) -> Option<GameResult> {
        match outcome {
            "red" => Some(GameResult::RedWon),
            "black" => Some(GameResult::BlackWon),
            "draw" => Some(GameResult::Draw),
            _ => None,
        }
    }

    /// Reads the word that ends the turns of a game. The names of the sides are from files of earlier versions.
    pub(super) fn from_word(word: &str) -> Option<GameResult> {
        match word {
            "1-0" | "red" | "红胜" | "紅勝" => Some(GameResult::RedWon),
            "0-1" | "black" | "green" | "黑胜" | "黑勝" => Some(GameResult::BlackWon),
            "1/2-1/2" | "1/2" | "½-½" | "draw" | "和棋" | "和局" => Some(GameResult::Draw),
            "*" | "未知" => Some(GameResult::Unfinished),
            _ => None,
        }
    }

    /// Reads the value of a tag, where people write more than one word.
    pub(super) fn from_tag(value: &str) -> GameResult {
        let value = value.trim();
        let contains = |words: &[&str]| words.iter().any(|word| value.contains(word));
        GameResult::from_word(value).unwrap_or(
            if contains(&["红胜", "紅勝", "红先胜", "紅先勝", "黑负", "黑負"]) {
                GameResult::RedWon
            } else if contains(&["黑胜", "黑勝", "红负", "紅負", "红先负", "紅先負"]) {
                GameResult::BlackWon
            } else if contains(&["和"]) {
                GameResult::Draw
            } else {
                GameResult::Unfinished
            },
        )
    }

    /// The winner, if anybody won.
    pub const fn winner(self) -> Option<Side> {
        match self {
            GameResult::RedWon => Some(Side::Red),
            GameResult::BlackWon => Some(Side::Black),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }
}

impl From<Option<Outcome>> for GameResult {
    fn from(outcome: Option<Outcome>) -> GameResult {
        match outcome.map(|outcome| outcome.winner) {
            Some(Some(Side::Red)) => GameResult::RedWon,
            Some(Some(Side::Black)) => GameResult::BlackWon,
            Some(None) => GameResult::Draw,
            None => GameResult::Unfinished,
        }
    }
}
