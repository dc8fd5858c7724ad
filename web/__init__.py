"""The page and the command line: the outermost layer."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """`__version__`, as the installed package says it; read when it is asked for."""
        if name != "__version__":
            raise AttributeError(name)
        from importlib.metadata import version  # noqa: PLC0415 -- no work at import

        return version("tablescore")
