"""The command ``tracewright`` of the wheel."""

import sys

from . import _native


def main() -> int:
    """Runs the command of ``sys.argv`` and gives its exit status."""
    return _native.run_command(["tracewright", *sys.argv[1:]])
