//! Ladders as files, one for each variant that has one: `configs/ladders/VARIANT.toml`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use heng_env::Variant;
use heng_mcts::ladder::{Ladder, LadderError, Rung};
use thiserror::Error;

use crate::agent::{AgentSpec, AgentSpecError};

/// Why a file is no ladder.
#[derive(Debug, Error)]
pub enum LadderFileError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is not the TOML of a ladder.
    #[error("{}{}: {problem}", path.display(), line.map_or_else(String::new, |line| format!(", line {line}")))]
    Toml {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where it is known.
        line: Option<usize>,
        /// What is wrong.
        problem: String,
    },
    /// Nobody can be rated on it.
    #[error("{}: {source}", path.display())]
    Ladder {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: LadderError,
    },
    /// A rung is no agent.
    #[error("{}: rung {rung}, key `agent`: `{agent}`: {source}", path.display())]
    Agent {
        /// The file.
        path: PathBuf,
        /// The rung, from 1.
        rung: usize,
        /// What should be an agent.
        agent: String,
        /// What is wrong with it.
        source: AgentSpecError,
    },
    /// The file is named after another variant.
    #[error("{}: key `variant` is `{found}`, expected `{expected}` as the file is named", path.display())]
    Name {
        /// The file.
        path: PathBuf,
        /// The variant in it.
        found: String,
        /// The variant that it is named after.
        expected: String,
    },
}

/// Reads the ladder of a variant, whose settings do not matter, from a folder; `None` if it has none there.
///
/// # Errors
/// If the file cannot be read or is no ladder of that variant.
pub fn read_for(folder: &Path, variant: &Variant) -> Result<Option<Ladder>, LadderFileError> {
    let path = folder.join(format!("{}.toml", variant.name()));
    match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(LadderFileError::Io { path, source }),
        Ok(text) => {
            let ladder = parse(&path, &text)?;
            let found = ladder.variant.parse::<Variant>();
            if found.is_ok_and(|found| found.name() == variant.name()) {
                return Ok(Some(ladder));
            }
            Err(LadderFileError::Name { path, found: ladder.variant, expected: variant.name().to_owned() })
        }
    }
}

/// Reads the ladder `text` of the file at `path`.
fn parse(path: &Path, text: &str) -> Result<Ladder, LadderFileError> {
    let ladder: Ladder = toml::from_str(text).map_err(|error| LadderFileError::Toml {
        path: path.to_owned(),
        line: error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count()),
        problem: error.message().lines().collect::<Vec<_>>().join(" "),
    })?;
    ladder.check().map_err(|source| LadderFileError::Ladder { path: path.to_owned(), source })?;
    for (index, Rung { agent, .. }) in ladder.rungs.iter().enumerate() {
        let parsed = agent.parse::<AgentSpec>();
        parsed.map_err(|source| LadderFileError::Agent {
            path: path.to_owned(),
            rung: index + 1,
            agent: agent.clone(),
            source,
        })?;
    }
    Ok(ladder)
}

/// The text of the file for `ladder`, with the command that made it.
pub fn text_of(ladder: &Ladder, made_by: &str) -> String {
    let Ladder { variant, version, seed, openings, first_mover, draws, rungs } = ladder;
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let mut text = format!(
        "# The ratings of agents that never change, to rate others on the same scale.\n\
         # Made by: {made_by}\n\
         variant = {}\n\
         # Of the program that played.\n\
         version = {}\n\
         seed = {seed}\n\
         openings = {}\n\
         # Elo for the side that moves first.\n\
         first_mover = {first_mover:.1}\n\
         # Share of draws between equals (Davidson).\n\
         draws = {draws:.4}\n",
        quoted(variant),
        quoted(version),
        quoted(openings),
    );
    for Rung { agent, elo, low, high, games } in rungs {
        let agent = quoted(agent);
        // The sum keeps a rating from being -0.0.
        let [elo, low, high] = [elo, low, high].map(|elo| (10.0 * elo).round() / 10.0 + 0.0);
        let _ = write!(
            text,
            "\n[[rung]]\nagent = {agent}\nelo = {elo:.1}\nlow = {low:.1}\nhigh = {high:.1}\ngames = {games}\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder() -> Ladder {
        let rung = |agent: &str, elo: f64| Rung {
            agent: agent.to_owned(),
            elo,
            low: elo - 10.5,
            high: elo + 10.5,
            games: 1600,
        };
        Ladder {
            variant: "eternal-mini".to_owned(),
            version: "0.1.0".to_owned(),
            seed: 1,
            openings: "random:0".to_owned(),
            first_mover: -33.0,
            draws: 0.3,
            rungs: vec![rung("random", 0.0), rung("uci:\"a b\"?nodes=1", 200.5)],
        }
    }

    #[test]
    fn a_ladder_is_read_as_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let variant: Variant = "eternal-mini:turn_limit=80".parse().unwrap();
        assert_eq!(read_for(folder.path(), &variant).unwrap(), None);
        let text = text_of(&ladder(), "eval tournament random");
        fs::write(folder.path().join("eternal-mini.toml"), &text).unwrap();
        assert_eq!(read_for(folder.path(), &variant).unwrap(), Some(ladder()), "{text}");
    }

    #[test]
    fn a_file_that_is_no_ladder_is_named_with_the_place() {
        let good = text_of(&ladder(), "hand");
        let path = Path::new("ladders/eternal-mini.toml");
        for (from, to, problem) in [
            ("seed = 1", "seed = -1", "ladders/eternal-mini.toml, line 6: "),
            ("seed = 1", "sed = 1", "ladders/eternal-mini.toml, line 6: unknown field `sed`"),
            ("elo = 0.0\n", "", "ladders/eternal-mini.toml, line 13: missing field `elo`"),
            ("draws = 0.3000", "draws = 1", "ladders/eternal-mini.toml: key `draws` is `1`, expected"),
            (
                "\"random\"",
                "\"rndom\"",
                "ladders/eternal-mini.toml: rung 1, key `agent`: `rndom`: unknown agent, expected",
            ),
        ] {
            assert!(good.contains(from), "{good}");
            let error = parse(path, &good.replace(from, to)).unwrap_err().to_string();
            assert!(error.starts_with(problem), "{error}");
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("xiangqi.toml"), &good).unwrap();
        let error = read_for(folder.path(), &"xiangqi".parse().unwrap()).unwrap_err().to_string();
        assert!(error.ends_with("key `variant` is `eternal-mini`, expected `xiangqi` as the file is named"), "{error}");
    }

    #[test]
    fn every_ladder_of_the_project_can_be_used() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/ladders");
        let Ok(entries) = fs::read_dir(&folder) else { return };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let variant = name.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(path.extension().is_some_and(|extension| extension == "toml"), "{}", path.display());
            assert!(read_for(&folder, &variant).unwrap().is_some(), "{}", path.display());
        }
    }
}
