# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Starts a guest, keeps what its console says and finds in it what guest/init.c tells."""
import contextlib
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Outcome:
    """One program in the guest."""
    name: str
    lines: list = field(default_factory=list)
    end: str = ''       # "exit N", "signal N", "timeout"; nothing: it never ended


@dataclass
class Session:
    """All that a guest told."""
    outcomes: list = field(default_factory=list)
    complaints: list = field(default_factory=list)
    complete: bool = False
    trouble: str = ''   # why it is not complete


PANIC = re.compile(r'Kernel panic|Unable to mount root|end Kernel panic')


def read_line(session, line):
    """One line of the console. Lines that do not begin with "@ " are the kernel's."""
    if PANIC.search(line) and not session.trouble:
        session.trouble = f'the kernel panicked: {line.strip()}'
    if not line.startswith('@ '):
        return
    what, _, rest = line[2:].partition(' ')
    current = session.outcomes[-1] if session.outcomes else None
    if what == 'run':
        session.outcomes.append(Outcome(rest))
    elif what == 'kernel':
        session.complaints.append(rest)
    elif what == 'end':
        session.complete = True
    elif current and what == '|':
        current.lines.append(rest)
    elif current and what in ('exit', 'signal', 'timeout'):
        current.end = line[2:]


def end_on_signal():
    """A time limit must end the guest as well: it leaves through the "finally" of whoever
    started one."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def kill(process):
    """With the children that a wrapper may have started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


@contextlib.contextmanager
def started(command, **kwargs):
    """The process of a guest, killed in the end. A SIGTERM that comes while it is being started
    waits until it is known."""
    def sigterm(how):
        signal.pthread_sigmask(how, {signal.SIGTERM})

    process = None
    try:
        sigterm(signal.SIG_BLOCK)
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True,
                                       env=dict(os.environ, QEMU_AUDIO_DRV='none'),
                                       preexec_fn=lambda: sigterm(signal.SIG_UNBLOCK), **kwargs)
        finally:
            sigterm(signal.SIG_UNBLOCK)
        yield process
    finally:
        if process:
            kill(process)


def console_lines(process, log, silence, total):
    """Yields lines as they come. A guest that says nothing for too long, or takes too long,
    is killed: then the last thing that this yields is None. silence() is asked each time."""
    end = time.monotonic() + total
    pending = b''
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            wait = min(silence(), end - time.monotonic())
            if wait <= 0 or not selector.select(wait):
                kill(process)
                yield None
                return
            data = os.read(process.stdout.fileno(), 65536)
            log.write(data)
            log.flush()
            *lines, pending = (pending + data).split(b'\n')
            if not data and pending:
                lines = [pending]
            for line in lines:
                yield line.decode(errors='replace').rstrip('\r')
            if not data:
                return


def run_guest(command, log_path, silence, total):
    """Runs QEMU until it ends. Whatever it did is in the session; the console in a file.
    Some machines can't switch themselves off: to hang behind the end is no failure."""
    session = Session()
    with open(log_path, 'wb') as log:
        log.write((' '.join(command) + '\n').encode())
        with started(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            for line in console_lines(process, log,
                                      lambda: min(silence, 15) if session.complete else silence,
                                      total):
                if line is None:
                    hung = '' if session.complete else 'the guest hung'
                    session.trouble = session.trouble or hung
                else:
                    read_line(session, line)
            status = process.wait()
    if not session.complete and not session.trouble:
        session.trouble = 'its output broke off' + (f', {command[0]} exited with {status}'
                                                    if status else '')
    return session
