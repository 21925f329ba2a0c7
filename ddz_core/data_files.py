"""Where the shipped data files are (layer 0).

In a checkout ``data/`` lies beside the package, in an installed wheel it lies inside
it as ``ddz_core/data``. Everything that reads a shipped file asks here; nothing else
in the package knows the difference.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["data_dir"]


@cache
def data_dir() -> Path:
    """Return the folder that holds ``rulesets/``, ``locales/`` and the other shipped files.

    Returns:
        An absolute path; the copy inside the package wins over the one beside it.

    Raises:
        FileNotFoundError: if neither place exists, which means a broken installation.
    """
    package = Path(__file__).resolve().parent
    places = (package / "data", package.parent / "data")
    for place in places:
        if (place / "locales").is_dir() or (place / "rulesets").is_dir():
            return place
    wanted = " or ".join(str(place) for place in places)
    raise FileNotFoundError(f"the data files of ddz_core are missing: expected {wanted}")
