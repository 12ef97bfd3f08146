//! What somebody may have meant.

/// The `count` candidates that are most like `text`: those that begin like it first, then those that take the fewest
/// edits. Candidates that have nothing in common with it are left out.
pub(super) fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let mut ranked: Vec<(usize, usize, &str)> = candidates
        .into_iter()
        .map(|candidate| (common_prefix(text, candidate), edits(text, candidate), candidate))
        .filter(|&(prefix, edits, _)| prefix >= 2 || edits <= 2)
        .map(|(prefix, edits, candidate)| (usize::MAX - prefix, edits, candidate))
        .collect();
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().take(count).map(|(_, _, candidate)| candidate).collect()
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// Levenshtein's distance: letters to insert, delete or change.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in [("", "", 0), ("", "ab", 2), ("hint", "hnit", 2), ("c2c4", "c2c5", 1), ("abc", "bc", 1)] {
            assert_eq!((edits(a, b), edits(b, a)), (count, count), "{a} {b}");
        }
    }

    #[test]
    fn what_begins_alike_comes_before_what_takes_few_edits() {
        let candidates = ["b2c4", "c2c5", "c2c3b7", "f6f7"];
        assert_eq!(nearest("c2c4", candidates, 3), ["c2c5", "c2c3b7", "b2c4"]);
        assert!(nearest("zzzz", candidates, 3).is_empty());
    }
}
