# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the image tests share: TAP, and lib/vdso/check-image as a module."""
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

SRCTREE = Path(os.environ.get("srctree") or Path(__file__).resolve().parents[2])
BUILT = Path(os.environ.get("O") or SRCTREE / "build")
CC = os.environ.get("CC", "gcc")
LD = os.environ.get("LD", "ld.lld")


def load_check_image():
    """check-image is a program: without a .py, and it must stay without .pyc files."""
    sys.dont_write_bytecode = True
    path = str(SRCTREE / "lib/vdso/check-image")
    loader = importlib.machinery.SourceFileLoader("check_image", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_image", loader))
    loader.exec_module(module)
    return module


def abis():
    """The ABIs to test: those of this configuration, and of ARCH, whose images were built."""
    return sorted({c.abi for c in compilers() if (BUILT / c.abi / "vdso.so").exists()})


class Compiler:
    """A line of $O/tests/abis: what compiles for an ABI."""

    def __init__(self, line):
        self.abi, self.kernel, self.arch, *self.command = line.split()
        self.name = self.command[0]

    def there(self):
        return shutil.which(self.name)

    def run(self, source, *flags, include=None):
        """Compiles C text with the headers of the core and of the ABI; the result goes to -o."""
        folders = (include or SRCTREE / "include", SRCTREE / "include/uapi",
                   SRCTREE / "arch" / self.arch / "include")
        autoconf = BUILT / "include/generated/autoconf.h"
        return subprocess.run([*self.command, *(f"-I{f}" for f in folders), "-std=gnu11",
                               "-ffreestanding", "-include", autoconf, *flags, "-x", "c", "-"],
                              input=source, capture_output=True, text=True, check=False)


def compilers():
    return [Compiler(line) for line in (BUILT / "tests/abis").read_text().splitlines()]


def abis_by_kernel():
    """The ABIs of each architecture's kernel."""
    kernels = {}
    for compiler in compilers():
        kernels.setdefault(compiler.kernel, {})[compiler.abi] = True
    return {kernel: list(abis) for kernel, abis in kernels.items()}


def prepare(folder):
    """A folder to build in: the same configuration, and what the compilers take is known."""
    shutil.copy2(BUILT / ".config", folder)
    shutil.copytree(BUILT / "include", Path(folder) / "include")
    for abi in abis():
        (folder / abi).mkdir()
        for name in ("compiler", "cc-options"):
            shutil.copy2(BUILT / abi / name, folder / abi)


def make(folder, targets, *variables):
    """make in @folder; only what @variables say is told of the compilers and the architecture."""
    ours = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "O", "CC", "LD", "CFLAGS", "ARCH",
            "CROSS_COMPILE", "CROSS_COMPILE_COMPAT", "LLVM")
    return subprocess.run(["make", "-s", "-C", str(SRCTREE), f"O={folder}", *variables,
                           *(f"{folder}/{target}" if "/" in target else target
                             for target in targets)],
                          capture_output=True, text=True, check=False,
                          env={k: v for k, v in os.environ.items() if k not in ours})


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
        return ok

    def skip(self, what, why):
        self.count += 1
        print(f"ok {self.count} - {what} # SKIP {why}", flush=True)

    def done(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)
