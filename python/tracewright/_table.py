"""Tables of figures, without a need for pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]


def _column(values: list[Any]) -> NDArray[Any]:
    """An array of numbers, of strings, or of objects where a value is missing or has parts."""
    if all(isinstance(value, bool) for value in values):
        return np.array(values, dtype=bool)
    if all(isinstance(value, int) for value in values):
        return np.array(values)
    if all(isinstance(value, (int, float)) for value in values):
        return np.array(values, dtype=float)
    if all(isinstance(value, (int, float)) or value is None for value in values) and any(
        value is not None for value in values
    ):
        return np.array([np.nan if value is None else value for value in values], dtype=float)
    if all(isinstance(value, str) for value in values):
        return np.array(values, dtype=str)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _cell(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return "-" if np.isnan(value) else f"{value:.4f}"
    return "-" if value is None else str(value)


class Table(dict[str, NDArray[Any]]):
    """Columns by name, each an array with a value for each row.

    A missing number is NaN. :meth:`to_pandas` makes a data frame of it.
    """

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, Any]]) -> Table:
        """The table of rows that are mappings; a row may have fewer columns than others."""
        rows = list(rows)
        names = dict.fromkeys(name for row in rows for name in row)
        return cls({name: _column([row.get(name) for row in rows]) for name in names})

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(next(iter(self.values()), ()))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Each row as a dictionary."""
        for place in range(self.height):
            yield {name: column[place] for name, column in self.items()}

    def select(self, *names: str) -> Table:
        """The table of these columns."""
        return Table({name: self[name] for name in names})

    def where(self, mask: NDArray[np.bool_]) -> Table:
        """The table of the rows for which the mask is true."""
        return Table({name: column[mask] for name, column in self.items()})

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of pandas, which has to be installed."""
        import pandas

        return pandas.DataFrame({name: list(column) for name, column in self.items()})

    def _cells(self) -> list[list[str]]:
        shown = [name for name, column in self.items() if not _is_nested(column)]
        return [[name, *map(_cell, self[name])] for name in shown]

    def __repr__(self) -> str:
        columns = self._cells()
        widths = [max(map(len, column)) for column in columns]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in zip(*columns)
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        import html

        header, *rows = zip(*self._cells())
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _is_nested(column: NDArray[Any]) -> bool:
    return any(isinstance(value, (dict, list)) for value in column.tolist()[:1])
