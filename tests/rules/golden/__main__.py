"""Write the golden files anew."""

from __future__ import annotations

from tests.rules.golden import FILES, FOLDER

if __name__ == "__main__":
    for name, (make, game) in FILES.items():
        (FOLDER / name).write_text(make(game), encoding="utf-8")
