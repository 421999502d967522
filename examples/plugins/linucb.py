"""LinUCB (Li, Chu, Langford and Schapire, WWW 2010, algorithm 1) in NumPy, by Sherman and Morrison's formula.

As the LinUCB of banditsim: contexts have an intercept of 1 at the end, ties go to the lowest arm, and the pulls of a round
are acted on before the first of them is learned from.
"""
import numpy
from banditsim import serve


class LinUCB:
    def __init__(self, arms, dim, seed, alpha=1.0, prior=1.0, intercept=True):
        self.alpha, self.intercept = alpha, intercept
        size = dim + intercept
        self.inverse = numpy.stack([numpy.eye(size) / prior] * arms)
        self.sums = numpy.zeros((arms, size))
        self.weights = numpy.zeros((arms, size))

    def extend(self, contexts):
        return numpy.append(contexts, numpy.ones((len(contexts), 1)), axis=1) if self.intercept else contexts

    def act(self, context):
        return self.act_batch(context.reshape(1, -1))[0]

    def act_batch(self, contexts):
        x = self.extend(contexts)
        spread = numpy.sqrt(((x @ self.inverse) * x).sum(axis=2))
        return (self.weights @ x.T + self.alpha * spread).argmax(axis=0)

    def learn(self, context, arm, reward):
        x = self.extend(context.reshape(1, -1))[0]
        inverse = self.inverse[arm]
        v = inverse @ x
        inverse -= numpy.outer(v, v) / (1 + x @ v)
        self.sums[arm] += reward * x
        self.weights[arm] = inverse @ self.sums[arm]


if __name__ == "__main__":
    serve(LinUCB)
