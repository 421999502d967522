"""The judge of docs/judges.md with digits: 30 logs of a behavior policy, made with scikit-learn, and what
`banditsim evaluate` estimates of a target policy from each.

    python3 results/reference/judge-digits.py BANDITSIM FOLDER

Debian's python3-sklearn 1.2 is enough. Each log has 70 % of the 1,797 digits; two classifiers learn the others. The
behavior policy pulls the class of a logistic regression with probability .4, the target that of a random forest with .9,
and both a class at random otherwise. The truth is the target's expected reward on the rows of the log.
"""

import csv
import json
import pathlib
import subprocess
import sys

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
x, y = load_digits(return_X_y=True)
arms = 10


def probabilities(classifier, share, seen, classes, rows):
    """Each arm's probability in each row: the predicted class with the given share, any class otherwise."""
    p = np.full((len(rows), arms), (1 - share) / arms)
    p[np.arange(len(rows)), classifier.fit(seen, classes).predict(rows)] += share
    return p


errors = {"ips": [], "snips": []}
for run in range(30):
    seen, rows, classes, truth = train_test_split(x, y, test_size=0.7, random_state=run)
    behavior = probabilities(LogisticRegression(C=100, max_iter=10000, random_state=12345), 0.4, seen, classes, rows)
    target = probabilities(
        RandomForestClassifier(n_estimators=500, max_depth=10, min_samples_leaf=5, random_state=12345),
        0.9, seen, classes, rows)
    at = np.arange(len(rows))
    draw = np.random.default_rng(run)
    arm = np.array([draw.choice(arms, p=p) for p in behavior])
    log = folder / f"digits-{run}.csv"
    with open(log, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["arm", "reward", "propensity"] + [f"p{k}" for k in range(arms)])
        w.writerows([a, int(a == c), repr(float(b[a])), *map(repr, map(float, t))]
                    for a, c, b, t in zip(arm, truth, behavior, target))
    columns = ",".join(f"p{k}" for k in range(arms))
    out = subprocess.run([program, "evaluate", log, "--policy", f"target={columns}", "--context", "none",
                          "--estimators", "ips,snips", "-o", "json"],
                         check=True, capture_output=True, text=True).stdout
    value = target[at, truth].mean()
    for e in json.loads(out)["estimates"]:
        errors[e["estimator"]].append(abs(e["estimate"] - value) / value)
for name, values in errors.items():
    print(f"{name}: relative error {np.mean(values):.4f} ± {np.std(values, ddof=1):.4f} over {len(values)} logs")
