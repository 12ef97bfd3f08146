//! The registry: every variant by name, and the one place where a name becomes a type.

pub mod eternal;
pub mod wuji;
pub mod xiangqi;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::game::Notation;
use eternal::{Eternal, FullBoard, MiniBoard};
use wuji::Wuji;
use xiangqi::Xiangqi;

/// Why a variant's name or settings were not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VariantError {
    /// There is no variant of this name.
    #[error("unknown variant `{name}`, expected one of {}", Variant::names().join(", "))]
    UnknownName {
        /// What was read.
        name: String,
    },
    /// A setting is not of the form `key=value`.
    #[error("variant `{variant}`: `{text}` is not of the form key=value")]
    NotASetting {
        /// The variant's name.
        variant: &'static str,
        /// What was read.
        text: String,
    },
    /// The variant has no such setting.
    #[error("variant `{variant}` has no setting `{key}`, expected one of {expected}")]
    UnknownKey {
        /// The variant's name.
        variant: &'static str,
        /// What was read.
        key: String,
        /// The settings there are.
        expected: String,
    },
    /// A setting is given twice.
    #[error("variant `{variant}`: `{key}` is set twice")]
    SetTwice {
        /// The variant's name.
        variant: &'static str,
        /// The setting.
        key: String,
    },
    /// A setting has an impossible value.
    #[error("variant `{variant}`, setting `{key}`: {problem}")]
    BadValue {
        /// The variant's name.
        variant: &'static str,
        /// The setting.
        key: &'static str,
        /// What is wrong with it, with the value that was found.
        problem: String,
    },
}

/// The `key=value` pairs behind a variant's name.
#[derive(Debug)]
pub struct Settings<'a> {
    variant: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Settings<'a> {
    /// Reads `key=value,key=value…`, of which every key must be among `known`.
    fn parse(variant: &'static str, text: &'a str, known: &[&str]) -> Result<Settings<'a>, VariantError> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| VariantError::NotASetting { variant, text: part.to_owned() })?;
            if !known.contains(&key) {
                let expected = known.join(", ");
                return Err(VariantError::UnknownKey { variant, key: key.to_owned(), expected });
            }
            if pairs.iter().any(|&(earlier, _)| earlier == key) {
                return Err(VariantError::SetTwice { variant, key: key.to_owned() });
            }
            pairs.push((key, value));
        }
        Ok(Settings { variant, pairs })
    }

    /// The text of a setting, if it is given.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().find(|&&(name, _)| name == key).map(|&(_, value)| value)
    }

    /// Reads a setting with `read`, whose error says what is wrong with the value.
    ///
    /// # Errors
    /// [`VariantError::BadValue`] with the problem that `read` reports.
    pub fn get<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, VariantError> {
        let variant = self.variant;
        self.text(key)
            .map(|text| read(text).map_err(|problem| VariantError::BadValue { variant, key, problem }))
            .transpose()
    }
}

/// Code that is generic over the game, run for the game that a [`Variant`] names.
pub trait VariantVisitor {
    /// What it returns.
    type Output;

    /// Runs for the game `G` under `rules`.
    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output;
}

macro_rules! registry {
    ($($id:ident: $name:literal => $game:ty, keys $keys:expr, rules $rules:path;)*) => {
        #[derive(Clone, Debug)]
        #[allow(clippy::enum_variant_names, reason = "the names are those of the registered variants")]
        enum Registered { $($id(<$game as crate::Game>::Rules),)* }

        const NAMES: &[&str] = &[$($name),*];

        fn read(name: &str, settings: &str) -> Result<(&'static str, Registered), VariantError> {
            match name {
                $($name => {
                    let settings = Settings::parse($name, settings, $keys)?;
                    Ok(($name, Registered::$id($rules(&settings)?)))
                })*
                _ => Err(VariantError::UnknownName { name: name.to_owned() }),
            }
        }

        impl Variant {
            /// Runs `visitor` for this variant's game type.
            pub fn dispatch<V: VariantVisitor>(&self, visitor: V) -> V::Output {
                match &self.registered {
                    $(Registered::$id(rules) => visitor.visit::<$game>(self, rules.clone()),)*
                }
            }
        }
    };
}

registry! {
    EternalFree: "eternal-free" => Eternal<FullBoard>, keys eternal::FREE_KEYS, rules eternal::free_rules;
    EternalFixed: "eternal-fixed" => Eternal<FullBoard>, keys eternal::LAYOUT_KEYS, rules eternal::fixed_rules;
    EternalMini: "eternal-mini" => Eternal<MiniBoard>, keys eternal::LAYOUT_KEYS, rules eternal::mini_rules;
    Xiangqi: "xiangqi" => Xiangqi, keys xiangqi::KEYS, rules xiangqi::rules;
    WujiSimple: "wuji-simple" => Wuji, keys wuji::COMMON_KEYS, rules wuji::simple_rules;
    WujiAdvanced: "wuji-advanced" => Wuji, keys wuji::COMMON_KEYS, rules wuji::advanced_rules;
    WujiFlexible: "wuji-flexible" => Wuji, keys wuji::FLEXIBLE_KEYS, rules wuji::flexible_rules;
}

/// A variant as it is written: `NAME` or `NAME:key=value,…`.
#[derive(Clone, Debug)]
pub struct Variant {
    text: String,
    name: &'static str,
    registered: Registered,
}

impl Variant {
    /// The names of all registered variants.
    pub fn names() -> &'static [&'static str] {
        NAMES
    }

    /// The name without settings.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Every registered variant with its default settings.
    pub fn all() -> Vec<Variant> {
        NAMES.iter().map(|name| name.parse().expect("a registered name is a variant")).collect()
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Variant, VariantError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let (name, registered) = read(name, settings)?;
        Ok(Variant { text: text.to_owned(), name, registered })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.text == other.text
    }
}

impl Eq for Variant {}
