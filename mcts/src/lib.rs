//! Tree search, evaluators and the network.

pub mod evaluator;
pub mod value;
