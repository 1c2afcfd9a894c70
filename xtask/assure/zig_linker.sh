#!/bin/sh
# Links for rustc with the C library of zig (PyPI: ziglang): ZIG_PYTHON has that package, ZIG_TARGET is zig's name of the target.
set -e
unset LD_LIBRARY_PATH
for word in "$@"; do
    shift
    case "$word" in
    # Zig knows its target, and brings these itself.
    --target=* | -lgcc | -lgcc_s | -lgcc_eh | -nostartfiles | *crt1.o | *crti.o | *crtn.o) ;;
    *) set -- "$@" "$word" ;;
    esac
done
exec "$ZIG_PYTHON" -m ziglang cc -target "$ZIG_TARGET" "$@"
