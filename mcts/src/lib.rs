//! Tree search, evaluators and the network, and the statistics that learning and measuring share.

pub mod alphabeta;
pub mod davidson;
pub mod drive;
pub mod evaluator;
pub mod interval;
pub mod ladder;
pub mod net;
pub mod search;
pub mod value;

#[cfg(test)]
mod toy;
