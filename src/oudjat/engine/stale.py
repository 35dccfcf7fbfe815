"""Compiled code that no longer fits its source is thrown away.

Numba keeps compiled kernels on disk and compiles one anew when *its own* file changes. A kernel that calls
functions of another file would go on with their old code: a bot would play by yesterday's rules. So a
fingerprint of all files that compiled code comes from lies in the cache's folder beside the kernels, and when
it does not match, the cached kernels of these files, and no others, are deleted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

STAMP = "oudjat-kernels.sha256"
_PACKAGE = Path(__file__).parents[1]
_KERNEL = re.compile(r"^ *@(float_)?kernel\b|^BOUND = ", re.MULTILINE)
_IMPORT = re.compile(r"^from oudjat\.rules(?:\.(\w+) import .*| import (.+))$", re.MULTILINE)


def sources() -> tuple[Path, ...]:
    """The files that compiled code comes from: what says how to compile, the games' cores with what they import of
    the rules, and every other module of the package with a kernel."""
    return Path(__file__).with_name("compiled.py"), *_rules(), *kernel_files()


def kernel_files() -> tuple[Path, ...]:
    """The modules with kernels, in the engine and in the rooms above it; also those whose functions are bound to a
    game (:mod:`oudjat.engine.binding`), which they list as ``BOUND``."""
    files = (*_PACKAGE.glob("engine/*.py"), *_PACKAGE.glob("research/*.py"))
    return tuple(file for file in sorted(files) if _KERNEL.search(file.read_text("utf-8")))


def _rules() -> list[Path]:
    cores = sorted(_PACKAGE.glob("rules/*/core.py"))
    imported = {
        _PACKAGE / "rules" / f"{name}.py"
        for core in cores
        for found in _IMPORT.finditer(core.read_text("utf-8"))
        for name in (found[1] or found[2]).split(", ")
    }
    return [*cores, *sorted(imported)]


def fingerprint(files: Iterable[Path]) -> str:
    """A hash of the names and texts of ``files``: equal for equal files, wherever they lie."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def drop_stale(files: tuple[Path, ...], folders: Iterable[Path]) -> int:
    """Delete the kernels of ``files`` cached in ``folders``, unless they were compiled from these very texts.

    Returns how many cache files were deleted. Two processes that do this at once do no harm: what one deletes
    too much is compiled again. A folder that cannot be written is left as it is, since Numba writes nothing
    there either.
    """
    wanted = fingerprint(files)
    deleted = 0
    for folder in folders:
        stamp = folder / STAMP
        try:
            if stamp.exists() and stamp.read_text("utf-8") == wanted:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            for file in files:
                for kept in (*folder.glob(f"{file.stem}.*.nbi"), *folder.glob(f"{file.stem}.*.nbc")):
                    kept.unlink(missing_ok=True)
                    deleted += 1
            stamp.write_text(wanted, "utf-8")
        except OSError:
            continue
    return deleted
