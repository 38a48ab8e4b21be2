# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the tests of vdso-run share: TAP, and running things under vdso-run."""
import os
import subprocess
import sys
import tempfile
import time

O = os.environ.get("O") or os.path.join(os.path.dirname(__file__), "../../build")
O = os.path.abspath(O)
VDSO_RUN = f"{O}/bin/vdso-run"
READER = f"{O}/tests/vdso-run/reader"
LAG = f"{O}/tests/vdso-run/lag"
FILTER = f"{O}/tests/vdso-run/filter"

_count = 0
_failed = 0


def ok(passed, what):
    """One test: whether it passed, and what it shows."""
    global _count, _failed
    _count += 1
    _failed += not passed
    print(f"{'' if passed else 'not '}ok {_count} - {what}", flush=True)
    return passed


def equal(got, expected, what):
    if not ok(got == expected, what):
        diag(f"got {got!r} instead of {expected!r}")


def skip(what, why):
    global _count
    _count += 1
    print(f"ok {_count} - {what} # SKIP {why}", flush=True)


def diag(text):
    for line in str(text).splitlines():
        print(f"# {line}", flush=True)


def done():
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)


class Result:
    """How a command ended: status (negative: by that signal), what it printed."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout
        self.err = process.stderr


def run(*command, **more):
    """A command under vdso-run, or vdso-run's own options before it; at most a minute."""
    return Result(subprocess.run([VDSO_RUN, *command], text=True, capture_output=True,
                                 timeout=60, **more))


def start(*command, **more):
    return subprocess.Popen([VDSO_RUN, *command], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def status_of(pid, field):
    """A field of /proc/PID/status, None if there is no such process."""
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith(field + ":"):
                    return line.split(":", 1)[1].strip()
    except FileNotFoundError:
        pass
    return None


def supervisor_of(pid):
    """The process that traces pid; waits for it to do so."""
    return int(wait_for(lambda: int(status_of(pid, "TracerPid") or 0)))


def guard_of(supervisor):
    """The child of a supervisor's thread."""
    def look():
        for task in os.listdir(f"/proc/{supervisor}/task"):
            with open(f"/proc/{supervisor}/task/{task}/children") as file:
                children = file.read().split()
                if children:
                    return int(children[0])
        return 0
    return wait_for(look)


def wait_for(condition, seconds=20):
    """What condition() says, as soon as that is true; whatever it says in the end."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.01)


def is_running(pid):
    return (status_of(pid, "State") or "Z")[0] not in "ZX"


def scratch():
    """A directory that every user may enter, removed at the end."""
    directory = tempfile.TemporaryDirectory()
    os.chmod(directory.name, 0o755)
    return directory
