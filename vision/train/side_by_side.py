"""Finder and reader trained at the same time, on one core each."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.synchronize import Event

import click
import cv2
import torch

Cores = Callable[[], int]


def side_by_side(find: Callable[[], None], read: Callable[[Cores], None]) -> None:
    """Run both in processes of their own; `read` is told how many cores it has just now.

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
