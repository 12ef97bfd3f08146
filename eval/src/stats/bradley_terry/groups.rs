//! Who is connected with whom by games, and by points.

use super::RatedGame;

/// Groups of players with games between them, however indirectly, each in order.
pub(super) fn connected(players: usize, games: &[RatedGame]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); players];
    for &RatedGame { first, second, .. } in games {
        neighbours[first].push(second);
        neighbours[second].push(first);
    }
    let mut groups = Vec::new();
    let mut is_seen = vec![false; players];
    for player in 0..players {
        if !is_seen[player] {
            let reached = reachable(player, &neighbours);
            reached.iter().for_each(|&member| is_seen[member] = true);
            groups.push(reached);
        }
    }
    groups
}

/// The group of each player, where a group has more members only if each of them took half a point from another, and so on
/// round to itself. Ford (1957): the ratings are finite if and only if there is one group.
pub(super) fn mutually_scoring(players: usize, games: &[RatedGame]) -> Vec<usize> {
    let (mut beaten, mut beaten_by) = (vec![Vec::new(); players], vec![Vec::new(); players]);
    let mut scored = |winner: usize, loser: usize| {
        beaten[winner].push(loser);
        beaten_by[loser].push(winner);
    };
    for &RatedGame { first, second, half_points, .. } in games {
        if half_points > 0 {
            scored(first, second);
        }
        if half_points < 2 {
            scored(second, first);
        }
    }
    let mut group_of = vec![usize::MAX; players];
    for player in 0..players {
        if group_of[player] == usize::MAX {
            let below = reachable(player, &beaten);
            let above = reachable(player, &beaten_by);
            below.into_iter().filter(|member| above.binary_search(member).is_ok()).for_each(|member| {
                group_of[member] = player;
            });
        }
    }
    group_of
}

fn reachable(start: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut is_reached = vec![false; edges.len()];
    is_reached[start] = true;
    let mut waiting = vec![start];
    while let Some(player) = waiting.pop() {
        for &next in &edges[player] {
            if !is_reached[next] {
                is_reached[next] = true;
                waiting.push(next);
            }
        }
    }
    (0..edges.len()).filter(|&player| is_reached[player]).collect()
}

/// The groups with their members' names.
pub(super) fn in_words(names: &[String], groups: &[Vec<usize>]) -> String {
    let quoted = |group: &Vec<usize>| {
        let members: Vec<String> = group.iter().map(|&member| format!("`{}`", names[member])).collect();
        members.join(", ")
    };
    groups.iter().map(quoted).collect::<Vec<_>>().join("; ")
}
