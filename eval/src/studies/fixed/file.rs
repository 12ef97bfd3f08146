//! Files of named layouts.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use heng_env::Side;
use serde::Deserialize;
use thiserror::Error;

use super::super::layout::{Layout, LayoutError};

/// A layout with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedLayout {
    pub(crate) name: String,
    pub(crate) layout: Layout,
}

/// What a file says, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    layout: Vec<WrittenLayout>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLayout {
    name: String,
    /// Red's pieces, `Ra1Nb1…`; black's stand opposite.
    red: String,
}

/// Why a file of layouts cannot be used.
#[derive(Debug, Error)]
pub(crate) enum LayoutsError {
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}, line {line}: {problem}", path.display())]
    Toml { path: PathBuf, line: usize, problem: String },
    #[error("{}: {count} layouts, expected {least} at least", path.display())]
    TooFew { path: PathBuf, count: usize, least: usize },
    #[error("{}: layout {number} has the name `{name}`, expected 1 to 40 characters", path.display())]
    Name { path: PathBuf, number: usize, name: String },
    #[error("{}: layout `{name}`, key `red`: {source}", path.display())]
    Layout { path: PathBuf, name: String, source: LayoutError },
    #[error("{}: layouts `{first}` and `{second}` {problem}", path.display())]
    Same { path: PathBuf, first: String, second: String, problem: &'static str },
}

/// The most characters of a name: it stands in tables.
const NAME_LEN_MAX: usize = 40;

/// Reads a file, which must hold `least` layouts.
///
/// # Errors
/// If it cannot be read, is no TOML of that form, or has too few layouts, wrong ones, or one twice.
pub(crate) fn read(path: &Path, least: usize) -> Result<Vec<NamedLayout>, LayoutsError> {
    let path = path.to_owned();
    match std::fs::read_to_string(&path) {
        Ok(text) => parse(path, &text, least),
        Err(source) => Err(LayoutsError::Read { path, source }),
    }
}

fn parse(path: PathBuf, text: &str, least: usize) -> Result<Vec<NamedLayout>, LayoutsError> {
    let written: Written = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        LayoutsError::Toml { path: path.clone(), line, problem: error.message().to_owned() }
    })?;
    let mut layouts = Vec::new();
    let mut seen: HashMap<Layout, String> = HashMap::new();
    for (index, WrittenLayout { name, red }) in written.layout.into_iter().enumerate() {
        if name.trim().is_empty() || name.chars().count() > NAME_LEN_MAX || name.chars().any(char::is_control) {
            return Err(LayoutsError::Name { path, number: index + 1, name });
        }
        let layout = match Layout::read(Side::Red, &red) {
            Ok(layout) => layout,
            Err(source) => return Err(LayoutsError::Layout { path, name, source }),
        };
        if layouts.iter().any(|earlier: &NamedLayout| earlier.name == name) {
            return Err(LayoutsError::Same { path, first: name.clone(), second: name, problem: "have one name" });
        }
        if let Some(first) = seen.insert(layout.clone(), name.clone()) {
            return Err(LayoutsError::Same { path, first, second: name, problem: "are the same" });
        }
        layouts.push(NamedLayout { name, layout });
    }
    if layouts.len() < least {
        return Err(LayoutsError::TooFew { path, count: layouts.len(), least });
    }
    Ok(layouts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: &str = "Ra1Nb1Bc1Bf1Ng1Rh1Cb3Cg3Md3Me3Pc4Pf4";

    fn error(text: &str) -> String {
        parse("layouts.toml".into(), text, 2).unwrap_err().to_string()
    }

    #[test]
    fn every_shipped_file_of_layouts_can_be_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/layouts");
        let paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!paths.is_empty());
        for path in paths {
            let layouts = read(&path, 2).unwrap_or_else(|error| panic!("{error}"));
            assert!(layouts.len() >= 12, "{}: {}", path.display(), layouts.len());
        }
    }

    #[test]
    fn what_is_wrong_with_a_file_is_named() {
        let entry = |name: &str, red: &str| format!("[[layout]]\nname = \"{name}\"\nred = \"{red}\"\n");
        for (text, problem) in [
            (String::new(), "layouts.toml: 0 layouts, expected 2 at least"),
            (entry("a", LAYOUT), "layouts.toml: 1 layouts, expected 2 at least"),
            (entry("a", "Ra1"), "layouts.toml: layout `a`, key `red`: `Ra1` is no layout of red: "),
            (entry("", LAYOUT), "layouts.toml: layout 1 has the name ``, expected 1 to 40 characters"),
            (entry("a", LAYOUT) + &entry("b", LAYOUT), "layouts.toml: layouts `a` and `b` are the same"),
            (entry("a", LAYOUT) + &entry("a", LAYOUT), "layouts.toml: layouts `a` and `a` have one name"),
            ("[[layout]]\nname = \"a\"\ncolour = 1\n".to_owned(), "layouts.toml, line 3: unknown field `colour`"),
            ("[[layout]]\nname = ".to_owned(), "layouts.toml, line 2: "),
        ] {
            let found = error(&text);
            assert!(found.starts_with(problem), "{found}");
        }
    }
}
