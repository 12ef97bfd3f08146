//! Choosing among the edges of a node by certainty first: what a proof settles, no statistic may overrule.

use heng_env::Side;

use super::tree::Edge;

/// The index with the greatest score, the first of equals; `None` scores are left out.
pub(super) fn argmax<S: PartialOrd>(scores: impl Iterator<Item = Option<S>>) -> Option<usize> {
    let mut best: Option<(usize, S)> = None;
    for (index, score) in scores.enumerate() {
        let Some(score) = score else { continue };
        if best.as_ref().is_none_or(|(_, top)| score > *top) {
            best = Some((index, score));
        }
    }
    best.map(|(index, _)| index)
}

/// The step to play: the quickest proven win; else what scores best among all that is not proven lost; else the slowest
/// loss. There must be an edge.
pub(super) fn choose<S: PartialOrd>(edges: &[Edge], side: Side, score: impl Fn(usize) -> S) -> usize {
    let by_proof = || argmax(edges.iter().map(|edge| edge.proof.map(|proof| proof.rank(side))));
    let settled = is_settled(edges, side);
    let by_score = || argmax(edges.iter().enumerate().map(|(index, edge)| (!edge.is_lost(side)).then(|| score(index))));
    if settled { by_proof() } else { by_score() }.unwrap_or(0)
}

/// Takes proven losses out of a policy, and everything but proven wins if there are any; then makes it sum to one.
pub(super) fn respect_proofs(policy: &mut [f32], edges: &[Edge], side: Side) {
    let is_won = |edge: &Edge| edge.proof.is_some_and(|proof| proof.is_win(side));
    let any_won = edges.iter().any(is_won);
    if any_won || !is_settled(edges, side) {
        let allowed = |edge: &Edge| if any_won { is_won(edge) } else { !edge.is_lost(side) };
        let count = edges.iter().filter(|edge| allowed(edge)).count();
        let allowed_sum: f32 = policy.iter().zip(edges).filter(|(_, edge)| allowed(edge)).map(|(share, _)| share).sum();
        for (share, edge) in policy.iter_mut().zip(edges) {
            *share = match allowed(edge) {
                false => 0.0,
                true if allowed_sum > 0.0 => *share / allowed_sum,
                true => 1.0 / count as f32,
            };
        }
    }
}

/// Whether a proof alone decides: something is won, or everything is lost.
fn is_settled(edges: &[Edge], side: Side) -> bool {
    edges.iter().any(|edge| edge.proof.is_some_and(|proof| proof.is_win(side)))
        || edges.iter().all(|edge| edge.is_lost(side))
}
