#!/usr/bin/env bash
# The main job from nothing: builds the program, makes a key, seals a file, verifies it, opens it again
# and compares. Everything is left in a temporary folder, which is named at the end.
#
#   examples/roundtrip.sh [FILE]        FILE: README.md by default
set -euo pipefail
cd "$(dirname "$0")/.."
file=${1:-README.md}
cargo build --release --package carryless-cli
carryless=${CARGO_TARGET_DIR:-target}/release/carryless
work=$(mktemp -d)
set -x
"$carryless" keygen -o "$work/my.key"
"$carryless" seal --key-file "$work/my.key" "$file" -o "$work/sealed.cless"
"$carryless" verify --key-file "$work/my.key" "$work/sealed.cless"
"$carryless" open --key-file "$work/my.key" "$work/sealed.cless" -o "$work/opened"
cmp "$file" "$work/opened"
set +x
echo "sealed and opened: $(wc -c < "$file") bytes of $file; key and files are in $work"
