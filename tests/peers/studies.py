#!/usr/bin/env python3
"""Loads the tables of a study with pandas and computes the numbers of its summary from them.

Needs pandas (Debian: python3-pandas). Run as

    python3 tests/peers/studies.py DIRECTORY

DIRECTORY is what `eval openings … --out DIRECTORY` has written. One line for each number that differs; the exit status is 1 if
there is one.
"""

import json
import pathlib
import sys

import numpy
import pandas

EVEN, LOPSIDED, DECISIVE = 0.1, 0.5, 0.3
WITHIN = 1e-9


def mean(values, weights):
    """The mean in which a set-up counts as often as it has images."""
    return float((values * weights).sum() / weights.sum())


def values_of(setups):
    """The numbers that the summary has of a group of set-ups."""
    value, copies = setups["red_value"], setups["copies"]
    average = mean(value, copies)
    return {
        "set_ups": int(copies.sum()),
        "mean": average,
        "deviation": mean((value - average) ** 2, copies) ** 0.5,
        "mean_absolute": mean(value.abs(), copies),
        "better_for_red": mean((value > 0).astype(float), copies),
        "even": mean((value.abs() <= EVEN).astype(float), copies),
        "lopsided": mean((value.abs() >= LOPSIDED).astype(float), copies),
    }


def groups_of(setups):
    """Symmetric set-ups and the others, in the order of the summary."""
    mirror, facing, turned = (setups[name] == 1 for name in ("is_mirror_image", "is_facing", "is_turned"))
    everything = setups["copies"] > 0
    groups = [everything, mirror, facing, turned, ~(mirror | facing | turned)]
    return [values_of(setups[group]) for group in groups if group.any()]


def budgets_of(budgets):
    first, second, copies = budgets["red_value"], budgets["second_red_value"], budgets["copies"]
    return {
        "mean_difference": mean(second - first, copies),
        "mean_absolute_difference": mean((second - first).abs(), copies),
        # The correlation of ranks is Spearman's.
        "rank_correlation": first.rank().corr(second.rank()),
        "sign_changes": mean((first * second < 0).astype(float), copies),
    }


def games_of(games, sample):
    result = games["red_result"]
    value = games["set_up"].map(sample.set_index("set_up")["red_value"])
    means = games.groupby("set_up")["red_result"].mean()
    by_set_up = sample.set_index("set_up")
    of_strata = means.groupby(by_set_up["stratum"]).mean()
    known = by_set_up.index
    inside = by_set_up["red_value"].between(by_set_up["low"], by_set_up["high"])
    return {
        "set_ups": len(sample),
        "games": len(games),
        "red_wins": int((result == 1).sum()),
        "draws": int((result == 0).sum()),
        "black_wins": int((result == -1).sum()),
        "mean_turns": games["turns"].mean(),
        "mean_result.value": of_strata.mean(),
        "correlation.value": by_set_up["red_value"].corr(means[known]),
        "squared_error": ((result - value) ** 2).mean(),
        "squared_error_of_mean": ((result - result.mean()) ** 2).mean(),
        "inside": int(inside.sum()),
    }


def places(layout):
    """`Cc2Cd2…` as pairs of piece and square."""
    return [(layout[index], layout[index + 1 : index + 3]) for index in range(0, len(layout), 3)]


def pieces_of(setups, pieces):
    """Another way to the same regression: a column for each piece on each square, whose shortest solution numpy finds."""
    names = sorted({place for layout in setups["red_layout"] for place in places(layout)})
    columns = {(side, *name): index for index, (side, name) in enumerate((s, n) for s in ("red", "black") for n in names)}
    design = numpy.zeros((len(setups), 1 + len(columns)))
    design[:, 0] = 1.0
    mirror = dict(zip("abcdef", "fedcba"))
    for row, layouts in enumerate(zip(setups["red_layout"], setups["black_layout"])):
        for side, layout in zip(("red", "black"), layouts):
            for piece, square in places(layout):
                # A square shares its number with its image.
                for name in (square, mirror[square[0]] + square[1]):
                    design[row, 1 + columns[(side, piece, name)]] += 0.5
    value, weight = setups["red_value"].to_numpy(), setups["copies"].to_numpy()
    root = numpy.sqrt(weight)
    solution, _, rank, _ = numpy.linalg.lstsq(design * root[:, None], value * root, rcond=None)
    residual = value - design @ solution
    average = (weight * value).sum() / weight.sum()
    found = {
        "r_squared": 1 - (weight * residual**2).sum() / (weight * (value - average) ** 2).sum(),
        "residual_deviation": ((residual**2).sum() / (len(setups) - rank)) ** 0.5,
    }
    # The numbers in the table predict the same values, up to a constant.
    ranks = {"red": lambda rank: rank, "black": lambda rank: str(8 - int(rank))}
    table = {(row.side, row.piece, row.square[0] + ranks[row.side](row.square[1])): row.red_effect for row in pieces.itertuples()}
    told = numpy.array([design[row, 1:] @ [table[name] for name in columns] for row in range(len(setups))])
    difference = told - design @ solution
    found["table"] = float(difference.max() - difference.min())
    return found


def number(summary, path):
    for key in path.split("."):
        summary = summary[key]
    return summary


def main():
    folder = pathlib.Path(sys.argv[1])
    summary = json.loads((folder / "summary.json").read_text())
    tables = {path.stem: pandas.read_csv(path) for path in folder.glob("*.csv")}
    setups = tables["setups"]
    expected = {"classes": len(setups)}
    expected |= {f"values.{name}": value for name, value in values_of(setups).items()}
    expected |= {f"budgets.{name}": value for name, value in budgets_of(tables["budgets"]).items()}
    if summary["games"]:
        expected |= {f"games.{name}": value for name, value in games_of(tables["games"], tables["sample"]).items()}
    if summary["pieces"]:
        found = pieces_of(setups, tables["pieces"])
        summary["pieces"]["table"] = 0.0
        expected |= {f"pieces.{name}": value for name, value in found.items()}
    known = setups[setups["margin"].notna()]
    if summary["first_turns"]:
        copies = known["copies"]
        expected["first_turns.set_ups"] = int(copies.sum())
        expected["first_turns.mean_margin"] = mean(known["margin"], copies)
        expected["first_turns.decisive"] = mean((known["margin"] >= DECISIVE).astype(float), copies)
    for name, result in (("red_wins", 1), ("draws", 0), ("black_wins", -1)):
        expected[f"proofs.{name}"] = int(setups.loc[setups["proof_red_result"] == result, "copies"].sum())
        proofs = tables["proofs"]
        assert int(proofs.loc[proofs["red_result"] == result, "set_ups"].sum()) == expected[f"proofs.{name}"], name
    for index, group in enumerate(groups_of(setups)):
        expected |= {f"groups.{index}.{name}": value for name, value in group.items()}
    summary["groups"] = {str(index): group for index, group in enumerate(summary["groups"])}
    wrong = 0
    for path, value in expected.items():
        try:
            told = number(summary, path)
        except TypeError:
            # Null where one of the series does not vary.
            told = float("nan")
        told = float("nan") if told is None else told
        if not (abs(told - value) <= WITHIN or numpy.isnan(told) and numpy.isnan(value)):
            print(f"{path}: the summary says {told}, the tables {value}")
            wrong += 1
    print(f"{len(expected)} numbers compared, {wrong} differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
