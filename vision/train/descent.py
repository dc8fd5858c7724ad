"""The loop that both networks are trained by: seeded, resumable, averaged, with a progress bar."""

from __future__ import annotations

import copy
import math
import multiprocessing
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final

import click
import cv2
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
from tqdm import tqdm

from vision.capture.frame import Image

Batch = tuple[Tensor, ...]
Maker = Callable[[tuple[int, ...]], Callable[[], Batch]]

RATE: Final = 2e-3
_AVERAGING: Final = 0.998
_CHECKPOINT_EVERY: Final = 100
_RISING: Final = 200
# Still it waits: each batch that other processes make is learned from so often, among others.
_ECHOES: Final = 3
_KEPT_BATCHES: Final = 48


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how boldly to train, and where to keep the checkpoint.

    `base` is the checkpoint of an earlier training whose result this one starts from, if any;
    `cores` tells from time to time how many processor cores are free for it. `makers` processes
    make its batches, where a graphics card learns faster than one makes them; 0: its own.
    """

    steps: int
    rate: float
    checkpoint: Path
    title: str
    base: Path | None = None
    cores: Callable[[], int] = lambda: 1
    makers: int = 0


class _Halving(nn.Module):
    """Computes in half precision where the processor is made for it: twice as fast here."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network
        self.able = bool(torch.cpu.get_capabilities().get("avx512_bf16"))

    def forward(self, x: Tensor) -> Tensor:
        able = self.able or x.is_cuda
        with torch.autocast(x.device.type, torch.bfloat16, enabled=able):
            figures: Tensor = self.network(x)
        return figures.float()


class Descent:
    """Trains one network and keeps a running average of its weights, which is the result.

    On a graphics card that torch knows, if there is one; the processor still makes the batches.
    """

    def __init__(self, network: nn.Module, plan: Plan) -> None:
        self.plan = plan
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if plan.base is not None:
            state = torch.load(plan.base, weights_only=True, map_location="cpu")
            network.load_state_dict(state["average"])
        self.network = network.to(self.device, memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval()
        self.optimiser = torch.optim.AdamW(network.parameters(), plan.rate, weight_decay=0.02)
        self.step = 0
        if plan.checkpoint.is_file():
            self._load(torch.load(plan.checkpoint, weights_only=True, map_location=self.device))

    def run(
        self, maker: Maker, seed: int, loss: Callable[[nn.Module, Batch], Tensor], until: int
    ) -> None:
        """Train from the checkpoint on up to the step `until`.

        `maker` gives what makes batches by chance from the numbers that it is given: the seed, the
        step, and the number of the process that makes them where there are several.
        """
        progress = tqdm(
            total=until, initial=self.step, desc=self.plan.title, mininterval=10, ascii=True
        )
        shown = 0.0
        batches = self._batches(maker, (seed, self.step))
        while self.step < until:
            made = next(batches)
            value = self._descend(loss(_Halving(self.network.train()), made))
            shown = value if not shown else 0.98 * shown + 0.02 * value
            progress.set_postfix(loss=f"{shown:.4f}", refresh=False)
            progress.update()
            if self.step % _CHECKPOINT_EVERY == 0 or self.step == until:
                self._save()
                torch.set_num_threads(self.plan.cores())
        progress.close()

    def _batches(self, maker: Maker, key: tuple[int, ...]) -> Iterator[Batch]:
        """Batches without end, each with echoes among those before it if others make them."""
        if not self.plan.makers:
            make = maker(key)
            while True:
                yield self._here(make())
        loader = DataLoader(
            _Made(maker, key), None, num_workers=self.plan.makers, multiprocessing_context="fork"
        )
        chance, kept = random.Random(repr(key)), list[Batch]()
        for made in loader:
            batch = self._here(made)
            if len(kept) < _KEPT_BATCHES:
                kept.append(batch)
            else:
                kept[chance.randrange(_KEPT_BATCHES)] = batch
            yield batch
            for _ in range(_ECHOES - 1):
                yield chance.choice(kept)

    def _here(self, batch: Batch) -> Batch:
        return tuple(each.to(self.device) for each in batch)

    def _descend(self, loss: Tensor) -> float:
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self._set_rate()
        self.optimiser.step()
        self.step += 1
        self._average()
        return float(loss.detach())

    def _set_rate(self) -> None:
        """Rise to the full rate, then fall with the cosine; a function of the step alone."""
        rise = min(1.0, (self.step + 1) / _RISING)
        fall = 0.5 + 0.5 * math.cos(math.pi * min(1.0, self.step / self.plan.steps))
        for group in self.optimiser.param_groups:
            group["lr"] = self.plan.rate * rise * max(fall, 0.002)

    @torch.no_grad()
    def _average(self) -> None:
        kept = min(_AVERAGING, self.step / (self.step + 10))
        newest = self.network.state_dict()
        for name, value in self.average.state_dict().items():
            if value.is_floating_point():
                value.lerp_(newest[name], 1 - kept)
            else:
                value.copy_(newest[name])

    def _save(self) -> None:
        self.plan.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        state = {
            "step": self.step,
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
        }
        unfinished = self.plan.checkpoint.with_suffix(".part")
        torch.save(state, unfinished)
        unfinished.replace(self.plan.checkpoint)

    def _load(self, state: dict[str, Any]) -> None:
        self.step = state["step"]
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self.optimiser.load_state_dict(state["optimiser"])


class _Made(IterableDataset[Batch]):
    """Batches that each process makes from chances of its own."""

    def __init__(self, maker: Maker, key: tuple[int, ...]) -> None:
        self._maker = maker
        self._key = key

    def __iter__(self) -> Iterator[Batch]:
        process = get_worker_info()
        make = self._maker((*self._key, process.id if process else 0))
        while True:
            yield make()


def restored(network: nn.Module, checkpoint: Path) -> nn.Module:
    """The network with the averaged weights of a checkpoint, ready to be used."""
    state = torch.load(checkpoint, weights_only=True, map_location="cpu")
    network.load_state_dict(state["average"])
    return network.eval()


def as_input(images: Image) -> Tensor:
    """Turn B x H x W x 3 pictures into what the networks take."""
    pixels = torch.from_numpy(images).permute(0, 3, 1, 2)
    return pixels.to(torch.float32).div_(255).contiguous(memory_format=torch.channels_last)


Cores = Callable[[], int]


def side_by_side(find: Callable[[], None], read: Callable[[Cores], None]) -> None:
    """Run each in its own process; `read` gets a function that gives its current number of cores.

    It has both once the finder has done with its own.

    Raises:
        click.ClickException: one of them was cut short.
    """
    forking = multiprocessing.get_context("fork")  # both see the same pictures, held once
    found = forking.Event()
    processes = [
        forking.Process(target=_find, args=(find, found)),
        forking.Process(target=_read, args=(read, found)),
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        raise click.ClickException("The training was cut short; the same command resumes it.")


def keep_to_one_core() -> None:
    """Each task has one core; more threads would only take turns."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)


def _find(find: Callable[[], None], found: Event) -> None:
    keep_to_one_core()
    find()
    found.set()


def _read(read: Callable[[Cores], None], found: Event) -> None:
    keep_to_one_core()
    read(lambda: 2 if found.is_set() else 1)
