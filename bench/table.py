#!/usr/bin/env python3
"""Tables of a recorded run: each peer's time over ours, as medians of paired rounds.

    python3 bench/table.py bench/results/FILE.json [OURS]

OURS is the peer to compare with, `carryless` by default. Above 1: ours is faster.
"""
import json
import sys


def label(size):
    for unit, name in ((1 << 20, "Mi"), (1 << 10, "Ki")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}B"
    return f"{size} B"


def main():
    run = json.load(open(sys.argv[1], encoding="utf-8"))
    ours = sys.argv[2] if len(sys.argv) > 2 else "carryless"
    rows = run["rows"]
    for bits in sorted({row["bits"] for row in rows}):
        for op in ("seal", "open"):
            cells = {(row["peer"], row["size"]): row["tsc"] for row in rows if row["op"] == op and row["bits"] == bits}
            sizes = sorted({size for _, size in cells})
            peers = [peer for peer in run["peers"] if peer != ours and any(p == peer for p, _ in cells)]
            print(f"\nAES-{bits}-GCM {op}, time over that of `{ours}`\n")
            print("| |", " | ".join(label(size) for size in sizes), "|")
            print("|---|" + "---:|" * len(sizes))
            mine = [cells[ours, size] for size in sizes]
            print(f"| `{ours}`, TSC cycles |", " | ".join(f"{value:.0f}" for value in mine), "|")
            for peer in peers:
                ratios = [cells[peer, size] / value if (peer, size) in cells else None for size, value in zip(sizes, mine)]
                print(f"| {peer} |", " | ".join("-" if r is None else f"{r:.2f}" for r in ratios), "|")


if __name__ == "__main__":
    main()
