#!/usr/bin/env python3
"""Tables of a recorded run: each peer's time over ours, as medians of paired rounds.

    python3 bench/table.py bench/results/FILE.json [OURS]
    python3 bench/table.py --write bench/results/FILE.json    # into docs/performance.md

OURS is the peer to compare with, `carryless` by default. Above 1: ours is faster.
"""
import json
import pathlib
import sys

TITLES = {
    "seal": "sealing",
    "open": "opening",
    "keysetup": "key set-up",
    "oneshot": "a new key and one message sealed",
    "batch": "sealing in batches of 8, per packet",
    "batchopen": "opening in batches of 8, per packet",
    "gmac": "GMAC",
    "ctr": "CTR",
}
PAGE = pathlib.Path(__file__).parent.parent / "docs/performance.md"
MARK = "<!-- tables: written by bench/table.py -->\n"


def label(size):
    for unit, name in ((1 << 20, "Mi"), (1 << 10, "Ki")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}B"
    return f"{size} B"


def table(run, bits, op, ours):
    cells = {(row["peer"], row["size"]): row["tsc"] for row in run["rows"] if row["op"] == op and row["bits"] == bits}
    sizes = sorted({size for _, size in cells})
    peers = [peer for peer in run["peers"] if peer != ours and any(p == peer for p, _ in cells)]
    mine = [cells[ours, size] for size in sizes]
    yield f"\nAES-{bits}, {TITLES[op]}, time over that of `{ours}`:\n"
    yield f"| | {' | '.join(label(size) for size in sizes)} |"
    yield "|---|" + "---:|" * len(sizes)
    yield f"| `{ours}`, TSC cycles | {' | '.join(f'{value:.0f}' for value in mine)} |"
    for peer in peers:
        ratios = [cells[peer, size] / value if (peer, size) in cells else None for size, value in zip(sizes, mine)]
        yield f"| {peer} | {' | '.join('-' if r is None else f'{r:.2f}' for r in ratios)} |"


def tables(run, ours):
    measured = {(row["bits"], row["op"]) for row in run["rows"]}
    for bits in sorted({bits for bits, _ in measured}):
        for op in TITLES:
            if (bits, op) in measured:
                yield from table(run, bits, op, ours)


def main():
    args = [arg for arg in sys.argv[1:] if arg != "--write"]
    run = json.loads(pathlib.Path(args[0]).read_text(encoding="utf-8"))
    lines = tables(run, args[1] if len(args) > 1 else "carryless")
    if "--write" not in sys.argv:
        return print("\n".join(lines))
    peers = "; ".join(f"{peer} {version}" for peer, version in run["peers"].items())
    head = PAGE.read_text(encoding="utf-8").split(MARK)[0]
    found = f"\nRun: `bench/results/{pathlib.Path(args[0]).name}`. Peers: {peers}.\n"
    PAGE.write_text(head + MARK + found + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
