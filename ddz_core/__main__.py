"""``python -m ddz_core``: the command line; see :mod:`ddz_core.cli`."""

from __future__ import annotations

import sys

from ddz_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
