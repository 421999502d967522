"""Time a forward and a backward pass of a convolutional network in PyTorch, on one thread of the CPU.

The network is that of go test ./nn -bench ConvStep: two convolutions of 5×5 with ReLU and the largest of 2×2, two layers
of 50, five outputs, on 256 images of 28×28. Prints milliseconds of processor time per step, contiguous and channels last.

Usage: OMP_NUM_THREADS=1 taskset -c 0 python3 torch_conv.py MAPS1 MAPS2 [STEPS]
"""
import sys
import time

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)
first, second = int(sys.argv[1]), int(sys.argv[2])
steps = int(sys.argv[3]) if len(sys.argv) > 3 else 10


def timed(layout):
    net = nn.Sequential(
        nn.Conv2d(1, first, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(first, second, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(16 * second, 50), nn.ReLU(), nn.Linear(50, 50), nn.ReLU(), nn.Linear(50, 5),
    ).to(memory_format=layout)
    x = torch.randn(256, 1, 28, 28).to(memory_format=layout)
    delta, params = torch.randn(256, 5), list(net.parameters())
    for i in range(3 + steps):
        if i == 3:
            start = time.process_time()
        torch.autograd.grad(net(x), params, delta)
    return 1e3 * (time.process_time() - start) / steps


print("%.1f %.1f" % (timed(torch.contiguous_format), timed(torch.channels_last)))
