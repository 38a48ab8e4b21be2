# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the tests of vdso-cost share: TAP, the program as a module, what was built."""
import functools
import importlib.machinery
import importlib.util
import os
import shutil
import sys
from pathlib import Path

SRCTREE = Path(os.environ.get("srctree") or Path(__file__).resolve().parents[2])
BUILT = Path(os.environ.get("O") or SRCTREE / "build")
PROGRAM = SRCTREE / "tools/cost/vdso-cost"

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("vdso_cost", str(PROGRAM))
cost = importlib.util.module_from_spec(importlib.util.spec_from_loader("vdso_cost", loader))
loader.exec_module(cost)


class Tap:
    """One line per test, a plan at the end."""

    def __init__(self):
        self.count = self.failed = 0

    def ok(self, ok, what, *remarks):
        self.count += 1
        self.failed += not ok
        print(f"{'ok' if ok else 'not ok'} {self.count} - {what}")
        for remark in () if ok else remarks:
            for line in str(remark).splitlines()[:20]:
                print("#", line)
        sys.stdout.flush()

    def skip(self, what, why):
        self.count += 1
        print(f"ok {self.count} - {what} # SKIP {why}", flush=True)

    def done(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


class Abi:
    """An ABI for which the test images were built."""

    def __init__(self, folder):
        self.name = folder.name
        self.folder = folder
        self.emulator = (folder / "emulator").read_text().strip()
        self.driver = BUILT / "bench/cost" / self.name / "call"

    def missing(self):
        """Why nothing can be counted for it, None if it can."""
        return None if shutil.which(self.emulator) else f"there is no {self.emulator}"

    def image(self, path):
        return cost.Image(path, self.driver)

    @functools.cache
    def known(self, nops):
        return self.image(self.folder / f"known-{nops}.so")


def abis():
    return [Abi(p.parent) for p in sorted(BUILT.glob("tests/cost/*/emulator"))]
