#!/usr/bin/env python3
"""Loads the tables of a study of layouts with pandas and computes the numbers of its summary from them.

Needs pandas (Debian: python3-pandas). Run as

    python3 tests/peers/layout_studies.py DIRECTORY

DIRECTORY is what `eval openings free|fixed … --out DIRECTORY` has written. One line for each number that differs; the exit status is
1 if there is one.
"""

import json
import math
import pathlib
import sys

import pandas

WITHIN = 1e-6


class Comparison:
    """Counts numbers that agree and prints those that do not."""

    def __init__(self):
        self.compared = self.wrong = 0

    def same(self, what, told, found):
        self.compared += 1
        if told is None or isinstance(told, (str, dict, list)):
            agrees = told == found
        else:
            agrees = found is not None and math.isclose(told, found, abs_tol=WITHIN)
        if not agrees:
            self.wrong += 1
            print(f"{what}: the summary says {told}, the tables {found}")


def results(games):
    """Red's results, from -1 to 1."""
    return games["red_half_points"] - 1.0


def up_to_mirror(layout):
    """A name that a layout and its mirror image share."""
    places = [layout[at : at + 3] for at in range(0, len(layout), 3)]
    image = [place[0] + "abcdefgh"["hgfedcba".index(place[1])] + place[2] for place in places]
    return min("".join(sorted(places)), "".join(sorted(image)))


def payoff_table(compare, summary, tables):
    games, mixtures = tables["payoff_games"], tables["mixtures"]
    compare.same("table.games", summary["games"], len(games))
    means = games.assign(result=results(games)).groupby(["red_layout", "black_layout"])["result"].mean()
    for cell in tables["payoffs"].itertuples():
        compare.same("red_result of payoffs.csv", cell.red_result, means[(cell.red_layout, cell.black_layout)])
    red, black = (mixtures[mixtures["side"] == side].set_index("layout") for side in ("red", "black"))
    payoffs = means.unstack().loc[red.index, black.index]
    value = summary["red_value"]["value"]
    # Neither side gains by leaving its mixture.
    compare.same("red's worst result", value, (payoffs.T @ red["weight"]).min())
    compare.same("black's worst result", value, (payoffs @ black["weight"]).max())
    for told, found in zip(summary["red"], value - payoffs.min(axis=1)):
        compare.same("loss of " + told["layout"], told["loss"]["value"], found)
    for told, found in zip(summary["black"], payoffs.max(axis=0) - value):
        compare.same("loss of " + told["layout"], told["loss"]["value"], found)


def free(compare, summary, tables):
    ends, placements = tables["ends"], tables["placements"]
    compare.same("games", summary["games"], placements["game"].nunique())
    for side, told in zip(("red", "black"), summary["distinct_layouts"]):
        names = ends[side + "_layout"].map(up_to_mirror)
        compare.same(f"distinct layouts of {side}", told, names.nunique())
        listed = tables["layouts"][tables["layouts"]["side"] == side].set_index("layout")["count"]
        for layout, count in listed.items():
            compare.same(f"count of {layout}", int(count), int((names == up_to_mirror(layout)).sum()))
    if summary["values"]:
        first, second = ends["red_value"], ends["second_red_value"]
        compare.same("mean value", summary["values"]["mean_red_value"]["value"], first.mean())
        compare.same("second mean value", summary["values"]["second_mean_red_value"]["value"], second.mean())
        compare.same("moved", summary["values"]["mean_moved"], (first - second).abs().mean())
        half = 1.959963984540054 * first.std() / math.sqrt(len(first))
        compare.same("interval", summary["values"]["mean_red_value"]["high"], first.mean() + half)
    # The ways of the graph lead as many games into each place as pass it.
    ways, nodes = tables["tree_ways"], tables["tree_nodes"].set_index("node")
    arrivals = ways.groupby("to")["visits"].sum()
    compare.same("visits", int(nodes["visits"].drop(0).sum()), int(arrivals.sum()))
    share = ways[ways["from"] == 0]["visits"].max() / len(ends)
    compare.same("share of the first placement", summary["first_placement_share"], share)
    placed = placements.assign(turn=(placements["turn"] + 1) // 2)
    counted = placed.groupby(["side", "turn", "piece", "square"]).size()
    squares = tables["squares"].set_index(["side", "turn", "piece", "square"])["count"]
    compare.same("squares.csv", 0.0, float((squares - counted).abs().sum()))
    payoff_table(compare, summary["table"], tables)
    if summary["against"]:
        games, given = tables["reply_games"], summary["against"]["side"]
        means = results(games).groupby(games["black_layout" if given == "red" else "red_layout"]).mean()
        for reply in summary["against"]["replies"]:
            compare.same("reply " + reply["layout"], reply["red_result"]["value"], means[reply["layout"]])


def fixed(compare, summary, tables):
    games, cells = tables["games"], tables["cells"]
    result = results(games)
    compare.same("games", summary["games"], len(games))
    compare.same("red_result", summary["red_result"]["value"], result.mean())
    compare.same("draw_share", summary["draw_share"], (result == 0).mean())
    compare.same("mean_turns", summary["mean_turns"], games["turns"].mean())
    compare.same("median_turns", summary["median_turns"], games["turns"].median())
    compare.same("reasons", summary["reasons"], games["reason"].value_counts().to_dict())
    for layout in summary["layouts"]:
        red, black = (games[side + "_layout"] == layout["name"] for side in ("red", "black"))
        points = games[red]["red_half_points"].sum() / 2 + (2 - games[black]["red_half_points"]).sum() / 2
        compare.same("points of " + layout["name"], layout["points"], points)
        compare.same("games of " + layout["name"], layout["games"], int(red.sum() + black.sum()))
    search = summary["search"]
    if search:
        first, second = cells["red_value"], cells["second_red_value"]
        compare.same("mean value", search["mean_red_value"], first.mean())
        compare.same("second mean value", search["second_mean_red_value"], second.mean())
        compare.same("moved", search["mean_moved"], (first - second).abs().mean())
        if search["correlation_with_games"]:
            compare.same("correlation", search["correlation_with_games"]["value"], first.corr(cells["red_result"]))


def main():
    folder = pathlib.Path(sys.argv[1])
    summary = json.loads((folder / "summary.json").read_text())
    # Every table has to load, whether it is used or not.
    tables = {path.stem: pandas.read_csv(path) for path in folder.glob("*.csv")}
    compare = Comparison()
    {"free": free, "fixed": fixed}[summary["study"]["study"]](compare, summary, tables)
    print(f"{compare.compared} numbers compared, {compare.wrong} differ")
    sys.exit(1 if compare.wrong else 0)


if __name__ == "__main__":
    main()
