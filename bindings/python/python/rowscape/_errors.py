"""The exception that every rejection raises."""

from __future__ import annotations

import json
from typing import Any


class RowscapeError(ValueError):
    """A rejected document, value or file: what is wrong and what to do.

    Attributes:
        code: stable code, such as ``formula.unknown-step``.
        path: JSON path in the design document, such as ``tables[0].rowkey``; empty if the document is not concerned.
        column: 1-based column in a formula or time pattern, if known.
        field: name of the field concerned, if any.
        row: 1-based number of the record concerned, if any.
        problems: everything that is wrong, each a dict with ``code``, ``place``, ``args`` and ``message``.
    """

    code: str
    path: str
    column: int | None
    field: str | None
    row: int | None
    problems: list[dict[str, Any]]

    def __init__(self, message: str, code: str = "", problems: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.problems = problems or []
        place = self.problems[0]["place"] if self.problems else {}
        self.code = code
        self.path = place.get("path", "")
        self.column = place.get("column")
        self.field = place.get("field")
        self.row = place.get("row")

    @classmethod
    def _of(cls, problems: str) -> RowscapeError:
        """The exception of problems as JSON text."""
        told = json.loads(problems)
        if not told:
            return cls("the request cannot be answered", "design.invalid")
        return cls(told[0].pop("shown"), told[0]["code"], told)

    def __reduce__(self) -> tuple[Any, ...]:
        # Spark sends exceptions from its workers.
        return (type(self), (str(self), self.code, self.problems))
