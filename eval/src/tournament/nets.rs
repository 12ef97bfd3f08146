//! The nets of a run as agents.

use thiserror::Error;

use crate::agent::{AgentError, AgentSpec, complete_nets};

/// Without `--every`, a run takes part with about this many nets.
const NETS_DEFAULT: usize = 10;

/// Why the nets of a run cannot take part.
#[derive(Debug, Error)]
pub(super) enum NetsError {
    #[error("--run `{0}`: expected a run without a number of a net, as in runs/NAME or \"runs/NAME?sims=64\"")]
    NoRun(String),
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// Every `every`-th net of a run, from its first one on, and its newest; the options of `run` are those of each.
pub(super) fn nets_of(run: &AgentSpec, every: Option<usize>) -> Result<Vec<AgentSpec>, NetsError> {
    let AgentSpec::Run { directory, net: None, search } = run else { return Err(NetsError::NoRun(run.to_string())) };
    let nets = complete_nets(directory).map_err(|problem| AgentError { agent: run.to_string(), problem })?;
    let agent = |net| AgentSpec::Run { directory: directory.clone(), net: Some(net), search: *search };
    Ok(spread(&nets, every).into_iter().map(agent).collect())
}

fn spread(nets: &[u64], every: Option<usize>) -> Vec<u64> {
    let gaps = nets.len().saturating_sub(1);
    let every = every.unwrap_or_else(|| gaps.div_ceil(NETS_DEFAULT - 1)).max(1);
    let mut chosen: Vec<u64> = nets.iter().copied().step_by(every).collect();
    chosen.extend(nets.last());
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kth_net_and_the_newest_take_part_by_default_about_ten() {
        let nets: Vec<u64> = (0..=91).collect();
        for (count, every, chosen) in [
            (92, None, vec![0, 11, 22, 33, 44, 55, 66, 77, 88, 91]),
            (92, Some(40), vec![0, 40, 80, 91]),
            (92, Some(500), vec![0, 91]),
            (5, None, vec![0, 1, 2, 3, 4]),
            (1, None, vec![0]),
            (3, Some(2), vec![0, 2]),
        ] {
            assert_eq!(spread(&nets[..count], every), chosen, "{count} {every:?}");
        }
    }

    #[test]
    fn what_is_no_run_is_named() {
        for text in ["random", "runs/a@3"] {
            let error = nets_of(&text.parse().unwrap(), None).unwrap_err().to_string();
            assert!(error.starts_with(&format!("--run `{text}`: expected a run")), "{error}");
        }
        let error = nets_of(&"no/such/run".parse().unwrap(), None).unwrap_err().to_string();
        assert!(error.starts_with("agent `no/such/run`: no/such/run: "), "{error}");
    }
}
