# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the tests of kernel/install share: trees, and running it on them."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import stat
import sys
from pathlib import Path

SRCTREE = Path(os.environ.get("srctree") or Path(__file__).resolve().parents[2])
BUILT = Path(os.environ.get("O") or SRCTREE / "build")

sys.path.insert(0, str(SRCTREE / "tests/image"))
from imagetest import Tap  # noqa: E402, F401


def snapshot(tree):
    """All there is in a folder: {name: (what it is, permissions, content)}."""
    content = {}
    for path in sorted(Path(tree).rglob("*")):
        mode = path.lstat().st_mode
        if path.is_symlink():
            data = os.readlink(path)
        else:
            data = path.read_bytes() if path.is_file() else None
        content[str(path.relative_to(tree))] = (stat.S_IFMT(mode), stat.S_IMODE(mode), data)
    return content


def differences(a, b):
    """Names that are not the same in two snapshots."""
    return sorted(name for name in {*a, *b} if a.get(name) != b.get(name))


class Result:
    """How a run of the installer ended."""

    def __init__(self, status, output):
        self.status, self.output = status, output

    def refused(self, *words):
        """It said no, in one sentence that has these words, and not by accident."""
        return (self.status == 1 and "Traceback" not in self.output and
                "Nothing was changed" in self.output and
                len(self.output.splitlines()) == 1 and
                all(str(word) in self.output for word in words))


def load(home=SRCTREE):
    """kernel/install of a repository: a program, so without a .py; it must stay without .pyc."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("install", str(Path(home) / "kernel/install"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("install", loader))
    loader.exec_module(module)
    return module


def install(tree, *options, home=SRCTREE):
    """Runs kernel/install of the repository @home on a tree, in this process: it runs often."""
    output, status = io.StringIO(), 0
    arguments, sys.argv = sys.argv, ["install", *options, str(tree)]
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            load(home).main()
        except SystemExit as end:
            if isinstance(end.code, str):
                print(end.code)
                status = 1
            else:
                status = end.code or 0
    sys.argv = arguments
    return Result(status, output.getvalue())


def uninstall(tree, *options, home=SRCTREE):
    return install(tree, "--uninstall", *options, home=home)
