#!/usr/bin/env python3
"""Writes the six tables of docs/recommend.md: recommend-tables.py DIR"""
import csv
import math
import pathlib
import random
import sys


def normals(r, n):
    return [r.gauss(0, 1) for _ in range(n)]


def imbalance(r):  # one class of 4 %, by a line in 2 of 8 numbers
    x = normals(r, 8)
    return x, "rare" if (x[0] + x[1]) / math.sqrt(2) > 1.75 else "common"


def xor(r):  # of the signs of 2 of 8 numbers
    x = normals(r, 8)
    return x, "same" if x[0] * x[1] > 0 else "other"


def category(r):  # 40 values, each of one of three classes, and 2 numbers that say nothing
    k = r.randrange(40)
    return [f"v{k}"] + normals(r, 2), "abc"[k * 7 % 3]


def small(r):  # three normal classes of 4 numbers
    k = r.randrange(3)
    return [z + 1.2 * ((j + k) % 3) for j, z in enumerate(normals(r, 4))], "abc"[k]


def tails(r):  # exp(2.5 z) of 6 numbers; the largest of three sums of two z
    z = normals(r, 6)
    sums = [z[0] + z[1], z[2] + z[3], z[4] + z[5]]
    return [math.exp(2.5 * v) for v in z], "abc"[sums.index(max(sums))]


def letters(r):  # 26 classes of two normal laws each, of 12 numbers
    k = r.randrange(26)
    means = normals(random.Random(f"{k} {r.randrange(2)}"), 12)
    return [1.5 * m + z for m, z in zip(means, normals(r, 12))], chr(ord("A") + k)


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for law, rows in ((imbalance, 4000), (xor, 3000), (category, 3000), (small, 300), (tails, 3000), (letters, 8000)):
    r = random.Random(law.__name__)
    with open(folder / f"{law.__name__}.csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        for i in range(rows):
            x, label = law(r)
            if i == 0:
                out.writerow([f"x{j + 1}" for j in range(len(x))] + ["class"])
            out.writerow([v if isinstance(v, str) else f"{v:.6g}" for v in x] + [label])
