"""Draw which rule waits for which, from Snakemake's own graph: docs/rulegraph.svg."""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from xml.sax.saxutils import escape

from steadfast.core import cli
from steadfast.core.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
OWN_RULE = "your_rule"
#: A study with a selector that is a rule of the user's.
OWN_STUDY = """title: A rule of your own
datasets: [wine]
resample: {scheme: subsample, repeats: 2}
selectors: {yours: {use: rule}}
stability: {compare: all_pairs, measures: [nogueira]}
"""
OWN_RULES = f"""rule {OWN_RULE}:
    input: "{{results}}/{{study}}/folds/{{dataset}}/{{fold}}.csv"
    output: "{{results}}/{{study}}/rankings/{{dataset}}/yours/{{fold}}.tsv"
    shell: "program {{input}} {{output}}"
"""
#: Runs that have all rules between them: the studies, that of known truth, a table's advice, a
#: rule of the user's.
RUNS = (
    ("all",),
    ("advise", "--config", "data=wine"),
    ("all", "--config", "studies=[trust]"),
    ("all", "--config", "studies=[alpha_from_data]"),
    ("all", "--config", "studies=[mine.yaml]", "rules=[mine.smk]"),
    ("verify",),
)
Edges = set[tuple[str, str]]
WIDTH, HEIGHT, GAP_X, GAP_Y, LINE, BEND, MARGIN = 136, 30, 22, 46, 12, 22, 16
STYLE = """
    .ground { fill: #ffffff; }
    .rule { fill: #f2f6fb; stroke: #7a93b3; }
    .own { fill: #fdf6e6; stroke: #b99a4e; stroke-dasharray: 5 3; }
    text { font: 13px "DejaVu Sans", Verdana, sans-serif; fill: #1c2430; text-anchor: middle; }
    .flow { fill: none; stroke: #5b6675; stroke-width: 1.3; }
    .head { fill: #5b6675; }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #12171e; }
      .rule { fill: #1b2530; stroke: #5f7c9e; }
      .own { fill: #2a2416; stroke: #a98d4a; }
      text { fill: #e6ebf2; }
      .flow { stroke: #a5b1c0; }
      .head { fill: #a5b1c0; }
    }
  """


def rule_graph(folder: Path) -> tuple[list[str], Edges]:
    """All rules, and which hands files to which, from Snakemake runs in an empty folder."""
    (folder / "config").mkdir()
    shutil.copy2(ROOT / "config" / "config.yaml", folder / "config")
    (folder / "mine.yaml").write_text(OWN_STUDY)
    (folder / "mine.smk").write_text(OWN_RULES)
    snakemake = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    rules: set[str] = set()
    edges: Edges = set()
    for run in RUNS:
        command = [*snakemake, "--directory", str(folder), "--rulegraph", "dot", *run]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(f"snakemake --rulegraph {' '.join(run)}: {done.stderr[-2000:]}")
        names = dict(re.findall(r'(\d+)\[label = "(\w+)"', done.stdout))
        rules.update(names.values())
        edges.update((names[a], names[b]) for a, b in re.findall(r"(\d+) -> (\d+)", done.stdout))
    return sorted(rules), edges


def declared_order() -> list[str]:
    """Names of rules as the files of the workflow declare them."""
    files = [ROOT / "workflow" / "Snakefile"]
    named = re.findall(r'^include: "(rules/\w+\.smk)"', files[0].read_text(), re.MULTILINE)
    texts = [path.read_text() for path in [*(ROOT / "workflow" / name for name in named), *files]]
    return [rule for text in texts for rule in re.findall(r"^rule (\w+):", text, re.MULTILINE)]


def one_way(edges: Edges, order: list[str]) -> tuple[Edges, Edges]:
    """Edges without a way back, and those that also lead back: two rules may read each other's."""
    both = {(a, b) for a, b in edges if (b, a) in edges and order.index(a) < order.index(b)}
    return edges - {(b, a) for a, b in both}, both


def reduced(edges: Edges) -> Edges:
    """Edges that no longer way stands for."""

    def reaches(start: str, end: str) -> bool:
        nexts = [b for a, b in edges if a == start]
        return end in nexts or any(reaches(step, end) for step in nexts)

    return {
        (a, b)
        for a, b in edges
        if not any(reaches(step, b) for start, step in edges if start == a and step != b)
    }


def layers(rules: Iterable[str], edges: Edges) -> dict[str, int]:
    """How many rules come one after the other before each."""
    found: dict[str, int] = {}

    def depth(rule: str) -> int:
        if rule not in found:
            found[rule] = max((depth(a) + 1 for a, b in edges if b == rule), default=0)
        return found[rule]

    for rule in rules:
        depth(rule)
    return found


def stages(edges: Edges, layer: dict[str, int]) -> tuple[list[list[str]], dict[tuple, list[str]]]:
    """Rows of rules and of bends of long edges, in an order with few crossings; ways of edges."""
    rows: list[list[str]] = [[] for _ in range(max(layer.values()) + 1)]
    for rule in sorted(layer):
        rows[layer[rule]].append(rule)
    ways = {}
    for a, b in sorted(edges):
        bends = [f"{a}>{b}>{at}" for at in range(layer[a] + 1, layer[b])]
        for at, bend in enumerate(bends, start=layer[a] + 1):
            rows[at].append(bend)
        ways[a, b] = [a, *bends, b]
    steps = [pair for way in ways.values() for pair in pairwise(way)]
    for turn in range(24):
        down = turn % 2 == 0
        for at in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
            beside = rows[at - 1 if down else at + 1]
            place = {name: (i + 0.5) / len(beside) for i, name in enumerate(beside)}
            pairs = steps if down else [(b, a) for a, b in steps]
            near = {n: [place[a] for a, b in pairs if b == n and a in place] for n in rows[at]}
            now = {name: (i + 0.5) / len(rows[at]) for i, name in enumerate(rows[at])}
            mean = {n: sum(near[n]) / len(near[n]) if near[n] else now[n] for n in rows[at]}
            rows[at].sort(key=lambda name: (round(mean[name], 9), now[name]))
    return rows, ways


def drawing(rules: list[str], edges: Edges, order: list[str]) -> str:
    """The graph as SVG, top to bottom; the same text for the same graph."""
    forward, both = one_way(edges, order)
    forward = reduced(forward)
    layer = layers(rules, forward)
    rows, ways = stages(forward, layer)
    widths = {name: LINE if ">" in name else WIDTH for row in rows for name in row}
    spans = [sum(widths[name] + GAP_X for name in row) - GAP_X for row in rows]
    width, x = max(spans) + 2 * MARGIN, {}
    for row, span in zip(rows, spans):
        left = (width - span) / 2
        for name in row:
            x[name] = left + widths[name] / 2
            left += widths[name] + GAP_X
    top = {name: MARGIN + at * (HEIGHT + GAP_Y) for at, row in enumerate(rows) for name in row}
    height = MARGIN * 2 + len(rows) * (HEIGHT + GAP_Y) - GAP_Y
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}" role="img" aria-labelledby="title about">',
        '  <title id="title">The rules of the workflow</title>',
        '  <desc id="about">An arrow leads from a rule to one that reads what it makes; where a '
        "longer way leads there too, it is left out.</desc>",
        f"  <style>{STYLE}</style>",
        '  <defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
        'markerHeight="7" orient="auto-start-reverse"><path class="head" d="M0 0 10 5 0 10z"/>'
        "</marker></defs>",
        f'  <rect class="ground" width="{width:.0f}" height="{height}" rx="10"/>',
    ]
    for pair, way in ways.items():
        path = f"M{x[way[0]]:.0f} {top[way[0]] + HEIGHT}"
        for name in way[1:]:
            end = top[name]
            start = end - GAP_Y
            before = x[way[way.index(name) - 1]]
            path += f" C{before:.0f} {start + BEND} {x[name]:.0f} {end - BEND} {x[name]:.0f} {end}"
            path += "" if name == way[-1] else f" V{end + HEIGHT}"
        back = ' marker-start="url(#head)"' if pair in both else ""
        lines.append(f'  <path class="flow" d="{path}" marker-end="url(#head)"{back}/>')
    for name in sorted(rules):
        kind = "rule own" if name == OWN_RULE else "rule"
        lines.append(
            f'  <rect class="{kind}" x="{x[name] - WIDTH / 2:.0f}" y="{top[name]}" '
            f'width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        )
        shown = escape(name.replace("_", " ") if name == OWN_RULE else name)
        lines.append(f'  <text x="{x[name]:.0f}" y="{top[name] + 20}">{shown}</text>')
    return "\n".join([*lines, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "rulegraph.svg")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rules, edges = rule_graph(Path(folder))
    given.out.write_text(drawing(rules, edges, declared_order()))


if __name__ == "__main__":
    cli.run(main)
