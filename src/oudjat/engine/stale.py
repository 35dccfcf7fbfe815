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

from oudjat.rules.isis_osiris import core

STAMP = "oudjat-kernels.sha256"


def sources() -> tuple[Path, ...]:
    """The files that compiled code comes from: the rules' core, what says how to compile, and every module of the
    engine with a kernel."""
    here = sorted(Path(__file__).parent.glob("*.py"))
    marked = (
        file for file in here if re.search(r"^ *@(float_)?kernel\b", file.read_text("utf-8"), re.MULTILINE)
    )
    return Path(core.__file__), Path(__file__).with_name("compiled.py"), *marked


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
