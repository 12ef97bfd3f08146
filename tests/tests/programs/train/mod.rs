//! The `train` binary as a user runs it.

mod bad_input;
mod configs;
mod damage;
mod interruption;
mod reproducibility;
mod starts_and_ends;
mod support;
