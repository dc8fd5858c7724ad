"""Small faults put into a rulebook, to see that a test notices: the mutation check.

A mutant is one changed place of one file: a bound (`<` for `<=`, 13 for 12), a sum (`-` for `+`),
or a condition (`or` for `and`, the contrary). Which places are changed is drawn by a seed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file, relative to the repository, and its text with one place changed."""

    file: Path
    line: int
    change: str
    text: str

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line} {self.change}"


def drawn(files: Sequence[Path], root: Path, count: int, seed: int) -> list[Mutant]:
    """So many mutants of these files, no two of the same place."""
    every = [mutant for file in files for mutant in mutants(file, root)]
    return Random(seed).sample(every, count)


def mutants(file: Path, root: Path) -> Iterator[Mutant]:
    """Every mutant of one file."""
    source = file.read_text(encoding="utf-8")
    for place, _ in enumerate(_places(ast.parse(source))):
        tree = ast.parse(source)
        node = list(_places(tree))[place]
        change = _change(node)
        yield Mutant(file.relative_to(root), node.lineno, change, ast.unparse(tree))


def _places(tree: ast.AST) -> Iterator[ast.Compare | ast.BinOp | ast.BoolOp | ast.Constant]:
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[operation]) if type(operation) in SWAPS:
                yield node
            case ast.BinOp(op=operation) if type(operation) in SWAPS and not _is_union(node):
                yield node
            case ast.BoolOp():
                yield node
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                yield node


def _is_union(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.BitOr)


def _change(node: ast.Compare | ast.BinOp | ast.BoolOp | ast.Constant) -> str:
    """Change the node in place, and say how."""
    before = ast.unparse(node)
    match node:
        case ast.Compare(ops=[operation]):
            node.ops = [SWAPS[type(operation)]()]  # type: ignore[list-item]
        case ast.BinOp() | ast.BoolOp():
            node.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
        case ast.Constant(value=int(value)):
            node.value = value + 1
    return f"{before} -> {ast.unparse(node)}"
