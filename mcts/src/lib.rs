//! Tree search, evaluators and the network.

pub mod alphabeta;
pub mod drive;
pub mod evaluator;
pub mod net;
pub mod search;
pub mod value;

#[cfg(test)]
mod toy;
