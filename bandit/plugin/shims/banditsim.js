#!/usr/bin/env node
// A policy for banditsim. Change the class; what follows it speaks the protocol (docs/protocol.md).
//
//   banditsim plugin verify -- node mine.js
//   banditsim run --environment linear --policies Mine,LinUCB,Uniform --plugin 'Mine=node mine.js'

/** Epsilon-greedy over a running mean per arm, which ignores contexts. */
class Policy {
  constructor(arms, dim, seed, options) {
    this.random = generator(seed);
    this.epsilon = options.epsilon ?? 0.1;
    this.pulls = new Array(arms).fill(0);
    this.means = new Array(arms).fill(0);
  }

  act(context) {
    if (this.random() < this.epsilon) return Math.floor(this.random() * this.means.length);
    return this.means.indexOf(Math.max(...this.means));
  }

  learn(context, arm, reward) {
    this.pulls[arm]++;
    this.means[arm] += (reward - this.means[arm]) / this.pulls[arm];
  }
}

// A class may have besides: end(round), save() → Buffer, restore(Buffer). Where hello says arm_dim above 0, act and learn
// are given the features of all arms as their last argument. act may return {arm, propensities, values} if the class has
// the fields propensities = true or values = true. Without save an interrupted trial is played again.

/** Returns a generator of numbers from 0 to 1: Math.random has no seed (mulberry32, by Tommy Ettinger). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const fs = require("fs");

/** Serves a class as a policy. What it prints by console goes to stderr. */
function serve(type) {
  global.console = new console.Console(process.stderr, process.stderr);
  let buffer = Buffer.alloc(0), policy = null, number = 0, armDim = 0;

  const send = (message) => {
    const data = Buffer.from(JSON.stringify(message, (key, value) => {
      if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${value} in ${key || "an answer"}`);
      return value;
    }) + "\n");
    for (let done = 0; done < data.length;) {
      try {
        done += fs.writeSync(1, data, done);
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
      }
    }
  };

  const answers = {
    hello(m) {
      policy = new type(m.names.length, m.dim, m.seed, m.options);
      armDim = m.arm_dim;
      return {
        type: "ready", protocol: 1, role: "policy", batch: true, save: Boolean(policy.save && policy.restore),
        propensities: Boolean(policy.propensities), values: Boolean(policy.values), end: Boolean(policy.end),
      };
    },
    act(m) {
      const choices = m.contexts.map((context, i) => armDim ? policy.act(context, m.features[i]) : policy.act(context));
      if (!policy.propensities && !policy.values) return { arms: choices };
      const answer = { arms: choices.map((c) => c.arm) };
      if (policy.propensities) answer.propensities = choices.map((c) => c.propensities);
      if (policy.values) answer.values = choices.map((c) => c.values);
      return answer;
    },
    learn(m) {
      m.contexts.forEach((context, i) => {
        if (armDim) policy.learn(context, m.arms[i], m.rewards[i], m.features[i]);
        else policy.learn(context, m.arms[i], m.rewards[i]);
      });
    },
    end(m) {
      if (policy.end) policy.end(m.round);
      return {};
    },
    save: () => ({ state: policy.save().toString("base64") }),
    restore(m) {
      policy.restore(Buffer.from(m.state, "base64"));
      return {};
    },
    bye: () => process.exit(0),
  };

  process.stdin.on("end", () => process.exit(0)); // the parent has ended
  process.stdin.on("data", (chunk) => {
    buffer = buffer.length ? Buffer.concat([buffer, chunk]) : chunk;
    for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10)) {
      const line = buffer.toString("utf8", 0, end);
      buffer = buffer.subarray(end + 1);
      try {
        const message = JSON.parse(line);
        number = message.id;
        const answer = answers[message.type](message);
        if (answer) send({ id: number, ...answer });
      } catch (error) {
        console.error(error);
        send({ id: number, error: String(error) });
        process.exit(1);
      }
    }
  });
}

serve(Policy);
