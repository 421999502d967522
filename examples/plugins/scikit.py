"""Any classifier or regressor of scikit-learn as a policy: epsilon-greedy, or Thompson sampling by a bootstrap.

Options:
    model      class with its module, such as linear_model.Ridge or tree.DecisionTreeClassifier
    parameters keyword arguments of the model
    explore    "greedy": an arm at random with probability epsilon; "bootstrap": replicas that each learn a pull
               a Poisson(1) number of times (Oza and Russell, 2001); for each pull one replica is drawn, and acts
    epsilon    0.05
    replicas   10, of the bootstrap
    every      5: models are fitted to all pulls so far after each of the first 5 rounds, then after every fifth

A classifier predicts the expected reward by the probabilities of the rewards that an arm has had.
"""
import importlib

import numpy
from banditsim import serve
from sklearn.base import is_classifier


class Scikit:
    def __init__(self, arms, dim, seed, model="linear_model.Ridge", parameters=None, explore="greedy", epsilon=0.05, replicas=10, every=5):
        if explore not in ("greedy", "bootstrap"):
            raise ValueError("explore is %r, want greedy or bootstrap" % explore)
        module, name = model.rsplit(".", 1)
        self.kind = getattr(importlib.import_module("sklearn." + module), name)
        self.parameters = dict(parameters or {})
        self.random = numpy.random.default_rng(seed)
        self.bootstrap = explore == "bootstrap"
        self.epsilon, self.every = epsilon, every
        self.replicas = replicas if self.bootstrap else 1
        self.contexts = [[] for _ in range(arms)]
        self.rewards = [[] for _ in range(arms)]
        self.counts = [[[] for _ in range(self.replicas)] for _ in range(arms)]  # of each pull in each replica
        self.models = [[None] * self.replicas for _ in range(arms)]

    def predict(self, fitted, contexts):
        if fitted is None:  # nothing was learned: optimism
            return numpy.full(len(contexts), numpy.inf)
        model, classes = fitted
        if classes is None:
            return model.predict(contexts)
        return model.predict_proba(contexts) @ classes if model else numpy.full(len(contexts), classes[0])

    def act(self, context):
        return self.act_batch(context.reshape(1, -1))[0]

    def act_batch(self, contexts):
        # Pull by pull, so that a batch draws what its pulls would one by one.
        draws = [(self.random.integers(self.replicas), self.random.random(), self.random.integers(len(self.models))) for _ in contexts]
        drawn, chances, others = (numpy.array(list(column)) for column in zip(*draws))
        values = numpy.empty((len(contexts), len(self.models)))
        for arm, models in enumerate(self.models):
            for replica in numpy.unique(drawn):
                rows = drawn == replica
                values[rows, arm] = self.predict(models[replica], contexts[rows])
        best = values.argmax(axis=1)
        if self.bootstrap:
            return best
        return numpy.where(chances < self.epsilon, others, best)

    def learn(self, context, arm, reward):
        self.contexts[arm].append(context.copy())
        self.rewards[arm].append(reward)
        for counts in self.counts[arm]:
            counts.append(self.random.poisson(1) if self.bootstrap else 1)

    def end(self, round):
        if round % self.every and round > self.every:
            return
        for arm, models in enumerate(self.models):
            x, y = numpy.array(self.contexts[arm]), numpy.array(self.rewards[arm])
            for replica in range(self.replicas):
                rows = numpy.repeat(numpy.arange(len(y)), self.counts[arm][replica])
                if len(rows):
                    models[replica] = self.fit(x[rows], y[rows])

    def fit(self, x, y):
        """Returns a model, None for a classifier of one class, and its classes, None for a regressor."""
        model = self.kind(**self.parameters)
        if not is_classifier(model):
            return model.fit(x, y), None
        classes, labels = numpy.unique(y, return_inverse=True)
        return (model.fit(x, labels) if len(classes) > 1 else None), classes


if __name__ == "__main__":
    serve(Scikit)
