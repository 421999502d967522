"""The judge of docs/judges.md with supervised tables: the share of wrong predictions of online gradient steps in one pass.

    python3 results/reference/judge-supervised.py TABLE...

A TABLE is a CSV whose last column is the class. XX Debian's python3-numpy is enough.

A linear function for each class, with a constant, is fitted to 1 for the class and −1 for the others; the prediction is
the class of the largest. Steps are those that Vowpal Wabbit has by default, at its rate of .5. The step of a weight is
divided by the largest value of its column so far (Ross, Mineiro and Langford, UAI 2013: Normalized online learning) and
by the root of the sum of its squared gradients, and does not go beyond the target (Karampatziakis and Langford, UAI 2011:
Online importance weight aware updates).
"""

import csv
import sys

import numpy as np

RATE = 0.5


def read(name):
    """Numbers of the columns, with a column for each value of those that have words, and the index of the class."""
    with open(name, newline="") as file:
        rows = list(csv.reader(file))[1:]
    *columns, classes = zip(*rows)
    numbers = []
    for column in columns:
        try:
            numbers.append([float(v) for v in column])
        except ValueError:
            values = sorted(set(column))
            numbers += [[float(v == value) for v in column] for value in values[len(values) == 2 :]]
    return np.array(numbers + [[1] * len(rows)]).T, np.unique(classes, return_inverse=True)[1]


def wrong(x, y, seed):
    """The share of wrong predictions in one pass over the rows, in an order that the seed decides."""
    order = np.random.default_rng(seed).permutation(len(y))
    weights = np.zeros((y.max() + 1, x.shape[1]))
    squares, largest, norm, errors = np.zeros(weights.shape), np.zeros(x.shape[1]), 0.0, 0
    for t, (row, label) in enumerate(zip(x[order], y[order]), 1):
        grown = np.maximum(largest, np.abs(row))
        weights *= np.divide(largest, grown, out=np.ones(len(row)), where=(grown > largest) & (largest > 0))
        largest, seen = grown, grown > 0
        norm += np.sum((row[seen] / largest[seen]) ** 2)
        out = weights @ row
        errors += out.argmax() != label
        target, out = np.where(np.arange(len(out)) == label, 1, -1), np.clip(out, -1, 1)
        squares += np.outer(4 * (out - target) ** 2, row**2)
        scale = np.sqrt(squares) * largest
        size = np.sqrt(t / norm) * np.divide(row, scale, out=np.zeros(scale.shape), where=scale > 0)
        reach = size @ row  # how far the output of a class moves for a step of 1
        step = (target - out) * (1 - np.exp(-2 * RATE * reach))
        weights += np.divide(step, reach, out=np.zeros(len(out)), where=reach > 0)[:, None] * size
    return errors / len(y)


for name in sys.argv[1:]:
    shares = [wrong(*read(name), seed) for seed in range(1, 11)]
    print(f"{name}: {np.mean(shares):.4f} ± {np.std(shares, ddof=1):.4f}", flush=True)
