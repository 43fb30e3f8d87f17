"""The answer about records: report, findings, picture."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Analysis:
    """Where records land under a design. In a notebook it shows the verdict, the heatmap and the findings.

    Attributes:
        title: name of the table.
        rows: number of records.
        sampled: number of records that the findings are about: all of them, a sample, or None for the design alone.
        report: regions, times, keys and verdict, as ``rowscape analyze --json`` prints them. ``report["heat"]`` holds rows by region
            and time bucket, region after region.
        findings: dicts with ``code`` (such as ``RS101``), ``severity``, ``title``, ``detail``, ``why``, ``remedy``; worst first.
        svg: the heatmap as an SVG image; None without times.
    """

    title: str
    rows: int
    sampled: int | None
    report: dict[str, Any]
    findings: list[dict[str, Any]]
    svg: str | None

    @property
    def verdict(self) -> dict[str, Any]:
        """The verdict: ``code``, ``severity`` (good, warning or bad), ``title``, ``detail``."""
        return self.report["verdict"]

    @property
    def region_rows(self) -> list[int]:
        """Rows of each listed region: all regions or, if there are very many, those with the most rows."""
        return [region["rows"] for region in self.report["regions"]]

    def __repr__(self) -> str:
        verdict = self.verdict
        return f"<Analysis of {self.rows:,} rows: {verdict['severity']}: {verdict['title']}>"

    def _repr_html_(self) -> str:
        escape = html.escape
        verdict = self.verdict
        color = {"good": "#1a7f37", "warning": "#9a6700", "bad": "#cf222e"}[verdict["severity"]]
        counted = f"{self.rows:,} rows, {self.report['regionCount']:,} regions."
        if self.sampled is None:
            counted += " Findings: from the design alone."
        elif self.sampled < self.rows:
            counted += f" Findings: from a sample of {self.sampled:,} rows."
        found = "".join(
            f"<li><b>{escape(one['code'])}</b> {escape(one['title'])}. {escape(one['detail'])}"
            f" <i>{escape(one['remedy'])}</i></li>"
            for one in self.findings
        )
        return (
            f'<div class="rowscape"><h4>{escape(self.title)}</h4>'
            f'<p><b style="color:{color}">{escape(verdict["title"])}</b>. {escape(verdict["detail"])}</p>'
            f"<p>{counted}</p>{self.svg or ''}{f'<ul>{found}</ul>' if found else ''}</div>"
        )
