//! Whole conversations: with engines that misbehave in every way, and with real ones where they are installed.

mod fake;
mod real;
mod spoken;
