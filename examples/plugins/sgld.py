"""Preconditioned SGLD (Li et al., AAAI 2016) over networks in PyTorch, as a posterior for banditsim's policies.

The method and the settings are those of banditsim's pSGLD; each chain has a network, and a prediction is the networks' mean.
"""
import torch
from banditsim import serve


class SGLD:
    def __init__(self, outputs, dim, seed, hidden=(100, 100), chains=4, steps=16, batch=512, buffer=4096, train_after=1024,
                 data_size=4096, rate=3e-7, temperature=0.3, decay=0.01, alpha=0.01, rho=0.001, scale=512):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        sizes = [dim, *hidden, outputs]
        self.nets = []
        for _ in range(chains):
            layers = [layer for a, b in zip(sizes, sizes[1:]) for layer in (torch.nn.Linear(a, b), torch.nn.ReLU())]
            self.nets.append(torch.nn.Sequential(*layers[:-1]))
        self.v = [[torch.ones_like(p) for p in net.parameters()] for net in self.nets]
        self.steps, self.batch, self.train_after, self.data_size = steps, batch, train_after, data_size
        self.rate, self.temperature, self.decay = rate, temperature, decay
        self.alpha, self.rho, self.scale = alpha, rho, scale
        self.rows, self.buffer = 0, buffer  # the buffer keeps the last rows
        self.contexts, self.arms, self.rewards = torch.zeros(buffer, dim), torch.zeros(buffer, dtype=torch.long), torch.zeros(buffer)

    def observe(self, contexts, arms, rewards):
        for context, arm, reward in zip(contexts, arms, rewards):
            slot = self.rows % self.buffer
            self.contexts[slot] = torch.tensor(context)
            self.arms[slot], self.rewards[slot] = arm, reward
            self.rows += 1

    def update(self):
        if self.rows < self.train_after:
            return
        for _ in range(self.steps):
            for net, v in zip(self.nets, self.v):
                self.step(net, v)

    def step(self, net, v):
        rows = torch.randint(min(self.rows, self.buffer), (self.batch,))
        predicted = net(self.contexts[rows]).gather(1, self.arms[rows, None])[:, 0]
        energy = (predicted - self.rewards[rows]).square().sum() * (self.data_size / self.batch)
        gradients = torch.autograd.grad(energy, list(net.parameters()))
        with torch.no_grad():
            for x, g, v in zip(net.parameters(), gradients, v):
                g = g + self.decay * x
                v.mul_(1 - self.alpha).addcmul_(g, g, value=self.alpha / self.scale ** 2)
                step = self.rate / (self.rho + v.sqrt())
                x.add_(torch.randn_like(x) * (2 * self.temperature * step).sqrt() - step * g)

    def mean(self, contexts):
        with torch.no_grad():
            return torch.stack([net(torch.tensor(contexts, dtype=torch.float32)) for net in self.nets]).mean(0).numpy()


if __name__ == "__main__":
    serve(SGLD)
