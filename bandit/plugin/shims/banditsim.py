#!/usr/bin/env python3
"""A policy for banditsim. Change the class; what follows it speaks the protocol (docs/protocol.md).

    banditsim plugin verify -- python3 mine.py
    banditsim run --environment linear --policies Mine,LinUCB,Uniform --plugin 'Mine=python3 mine.py'
"""
import random


class Policy:
    """Epsilon-greedy over a running mean per arm, which ignores contexts."""

    def __init__(self, arms, dim, seed, epsilon=0.1):
        self.random = random.Random(seed)
        self.epsilon = epsilon
        self.pulls = [0] * arms
        self.means = [0.0] * arms

    def act(self, context):
        if self.random.random() < self.epsilon:
            return self.random.randrange(len(self.means))
        return max(range(len(self.means)), key=self.means.__getitem__)

    def learn(self, context, arm, reward):
        self.pulls[arm] += 1
        self.means[arm] += (reward - self.means[arm]) / self.pulls[arm]


# What a class may have besides:
#
#   policy        act(context, features=None) -> arm, or (arm, propensities), or (arm, propensities, values)
#                 learn(context, arm, reward, features=None), end(round)
#                 act_batch(contexts) -> arms, learn_batch(contexts, arms, rewards)
#                 act(context, available=None): the numbers of the arms that can be pulled, None if all can be; without
#                 it a trial whose arms come and go ends where act returns another
#                 features are those of all arms, a row for each, where arms have some
#                 propensities = True, values = True: what act returns besides the arm
#   posterior     __init__(outputs, dim, seed, **options), observe(contexts, arms, rewards), update(),
#                 mean(contexts) -> values, draw(contexts), spread(contexts): a row of outputs for each context
#   environment   __init__(seed, **options), names (of arms), dim; next() -> (context, means, rewards);
#                 arm_dim, pulls, uniform_regret, constant_arm if they are known; with arm_dim next returns features last
#   each          save() -> bytes, restore(bytes). Without them an interrupted trial is played again.
#
# Options of the experiment file are keyword arguments. Where NumPy is, contexts are arrays.

import array
import base64
import inspect
import json
import os
import sys

try:
    import numpy
except ImportError:
    numpy = None

PROTOCOL = 1


class _Wire:
    """The original stdin and stdout. What the program prints goes to stderr."""

    def __init__(self):
        self.input = os.fdopen(os.dup(0), "rb", 1 << 16)
        self.output = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def receive(self):
        line = self.input.readline()
        if not line:
            sys.exit(0)  # the parent has ended
        message = json.loads(line)
        size = message.get("frame")
        if message["type"] != "hello":
            message["floats"] = self._floats(self.input.read(size)) if size else None
        return message

    @staticmethod
    def _floats(data):
        if numpy is not None:
            return numpy.frombuffer(data, "<f8")
        numbers = array.array("d")
        numbers.frombytes(data)
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers

    def send(self, message, frame=b""):
        if frame:
            message["frame"] = len(frame)
        data = json.dumps(message, allow_nan=False).encode() + b"\n" + frame
        while data:
            data = data[os.write(self.output, data):]


def _rows(numbers, width):
    """Splits a flat list of numbers into rows."""
    if numpy is not None:
        return numbers.reshape(-1, width)
    return [numbers[i:i + width] for i in range(0, len(numbers), width)]


def _pack(rows):
    """Packs rows of numbers as little-endian float64."""
    if numpy is not None:
        return numpy.ascontiguousarray(rows, "<f8").tobytes()
    numbers = array.array("d", [x for row in rows for x in row])
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _list(row):
    return [float(x) for x in row]


class _Role:
    """What the three roles have in common."""

    def __init__(self, thing, hello):
        self.thing = thing
        self.dim = hello.get("dim", 0)
        self.save = hasattr(thing, "save") and hasattr(thing, "restore")

    def answer(self, message):
        """Returns the answer to a message and its frame, or None if none is due."""
        kind = message["type"]
        if kind == "save":
            return {"state": base64.b64encode(self.thing.save()).decode()}, b""
        if kind == "restore":
            self.thing.restore(base64.b64decode(message["state"]))
            return {}, b""
        return getattr(self, kind)(message)


class _Policy(_Role):
    def __init__(self, thing, hello):
        super().__init__(thing, hello)
        self.arms, self.arm_dim = len(hello["names"]), hello["arm_dim"]
        self.propensities = bool(getattr(thing, "propensities", False))
        self.values = bool(getattr(thing, "values", False))
        self.act_batch = getattr(thing, "act_batch", None)
        self.learn_batch = getattr(thing, "learn_batch", None)
        self.act_one, self.learn_one = thing.act, thing.learn
        # A class that does not take features of arms works where arms have some.
        takes = inspect.signature(thing.act).parameters
        self.featured, self.available = self.arm_dim and "features" in takes, "available" in takes

    def ready(self):
        return {"batch": True, "available": self.available, "propensities": self.propensities, "values": self.values, "end": hasattr(self.thing, "end")}

    def _contexts(self, message):
        """Returns contexts and, if the class takes them, the features of all arms in each."""
        floats, n = message["floats"], len(message["pulls"])
        contexts, features = floats, None
        if self.arm_dim:
            contexts, features = floats[:n * self.dim], floats[n * self.dim:]
        if not self.featured:
            return _rows(contexts, self.dim), None
        if numpy is not None:
            return _rows(contexts, self.dim), features.reshape(n, self.arms, self.arm_dim)
        arms = _rows(features, self.arm_dim)
        return _rows(contexts, self.dim), [arms[i * self.arms:(i + 1) * self.arms] for i in range(n)]

    def act(self, message):
        contexts, features = self._contexts(message)
        if self.act_batch and not self.propensities and not self.values and "available" not in message:
            return {"arms": [int(arm) for arm in self.act_batch(contexts)]}, b""
        more = {} if features is None else {"features": features}
        if "available" in message:
            more["available"] = message["available"]
        choices = [self.act_one(context, **{name: each[i] for name, each in more.items()}) for i, context in enumerate(contexts)]
        if not self.propensities and not self.values:
            return {"arms": [int(arm) for arm in choices]}, b""
        answer = {"arms": [int(choice[0]) for choice in choices]}
        if self.propensities:
            answer["propensities"] = [_list(choice[1]) for choice in choices]
        if self.values:
            answer["values"] = [_list(choice[-1]) for choice in choices]
        return answer, b""

    def learn(self, message):
        contexts, features = self._contexts(message)
        arms, rewards = message["arms"], message["rewards"]
        if self.learn_batch:
            self.learn_batch(contexts, arms, rewards)
        elif features is None:
            for context, arm, reward in zip(contexts, arms, rewards):
                self.learn_one(context, arm, reward)
        else:
            for each in zip(contexts, arms, rewards, features):
                self.learn_one(*each)

    def end(self, message):
        if hasattr(self.thing, "end"):
            self.thing.end(message["round"])
        return {}, b""


class _Posterior(_Role):
    def ready(self):
        return {"draw": hasattr(self.thing, "draw"), "spread": hasattr(self.thing, "spread")}

    def observe(self, message):
        self.thing.observe(_rows(message["floats"], self.dim), message["arms"], message["rewards"])

    def update(self, message):
        self.thing.update()
        return {}, b""

    def predict(self, message):
        return {}, _pack(getattr(self.thing, message["how"])(_rows(message["floats"], self.dim)))


class _Environment(_Role):
    def ready(self):
        ready = {"names": list(self.thing.names), "dim": self.thing.dim}
        for name in ("arm_dim", "groups", "shape", "pulls", "uniform_regret"):
            if hasattr(self.thing, name):
                ready[name] = getattr(self.thing, name)
        if hasattr(self.thing, "constant_arm"):  # (name, regret)
            ready["constant_arm"] = dict(zip(("arm", "regret"), self.thing.constant_arm))
        return ready

    def next(self, message):
        pulls = []
        for _ in range(message["n"]):
            pull = self.thing.next()
            if pull is None:  # the data end
                break
            pulls.append(pull)
        answer = {"contexts": [_list(p[0]) for p in pulls], "means": [_list(p[1]) for p in pulls], "rewards": [_list(p[2]) for p in pulls]}
        if getattr(self.thing, "arm_dim", 0):
            answer["features"] = [[_list(arm) for arm in p[3]] for p in pulls]
        return answer, b""


def serve(thing):
    """Serves a class: a posterior if it has observe, an environment if it has next, else a policy."""
    wire = _Wire()
    role = "posterior" if hasattr(thing, "observe") else "environment" if hasattr(thing, "next") else "policy"
    hello = wire.receive()
    number = hello["id"]
    try:
        random.seed(hello["seed"])
        if numpy is not None:
            numpy.random.seed(hello["seed"])
        options = hello["options"]
        if role == "policy":
            server = _Policy(thing(len(hello["names"]), hello["dim"], hello["seed"], **options), hello)
        elif role == "posterior":
            server = _Posterior(thing(hello["outputs"], hello["dim"], hello["seed"], **options), hello)
        else:
            server = _Environment(thing(hello["seed"], **options), hello)
        ready = {"id": number, "type": "ready", "protocol": PROTOCOL, "role": role, "frame": True, "save": server.save}
        ready.update(server.ready())
        wire.send(ready)
        while True:
            message = wire.receive()
            number = message["id"]
            if message["type"] == "bye":
                return
            answer = server.answer(message)
            if answer is not None:
                answer[0]["id"] = number
                wire.send(*answer)
    except Exception as error:
        import traceback
        traceback.print_exc()
        wire.send({"id": number, "error": "%s: %s" % (type(error).__name__, error)})
        sys.exit(1)


if __name__ == "__main__":
    serve(Policy)
