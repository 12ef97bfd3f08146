//! Whole analyses, as the command makes them.
