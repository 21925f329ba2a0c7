"""Paili: router of the application. Pages are files in ``pages/``, listed in the shell."""

from __future__ import annotations

from pages._kit import shell

shell.start()
shell.navigation().run()
