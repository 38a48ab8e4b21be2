# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What runs in a guest, and with how much patience."""
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

import kernels
from initramfs import Initramfs
from machines import MACHINES

GUESTS = kernels.OUT / 'guest'
# Compilers, as kernel.mk has them: ABI=command, one a line.
COMPILERS = GUESTS / 'compilers'


@dataclass(frozen=True)
class Program:
    """A line of the guest's list."""
    name: str
    kind: str           # tap: prints TAP; status: 0 is pass and 4 skip, as kselftest has it
    seconds: float      # then it hangs
    folder: str
    command: str


def compilers():
    lines = COMPILERS.read_text(encoding='utf-8').splitlines()
    return dict(line.split('=', 1) for line in lines)


# The kernel's own tests that end by themselves: name, arguments, seconds, ABIs (all, if none
# is named).
X86 = ('x86_64', 'i386')
KSELFTESTS = [
    ('vdso_test_gettimeofday', '', 10, ()),
    ('vdso_test_getcpu', '', 10, ()),
    ('vdso_test_abi', '', 10, ()),
    ('vdso_test_clock_getres', '', 10, ()),
    ('vdso_test_correctness', '', 60, ()),
    ('vdso_test_getrandom', '', 60, ('x86_64', 'arm64')),
    ('vdso_test_chacha', '', 300, ('x86_64', 'arm64')),
    ('test_mremap_vdso', '', 20, X86),
    ('test_vsyscall', '', 60, X86),
    ('unwind_vdso', '', 60, ('i386',)),
    ('vdso_restorer', '', 10, ('i386',)),
    *((f'inconsistency-check -c {clock} -t 2', '', 30, ()) for clock in (0, 1, 4, 5, 6, 7, 11)),
    ('nanosleep', '', 120, ()),
    ('threadtest -t 3 -n 4', '', 60, ()),
    ('raw_skew', '', 60, ()),
    ('set-tai', '', 30, ()),
    ('set-tz', '', 30, ()),
    ('valid-adjtimex', '', 60, ()),
    ('clocksource-switch -s -t 3', '', 120, ()),
]
TIMENS = ('timens', 'exec', 'vfork_exec', 'clock_nanosleep', 'timer', 'timerfd', 'futex', 'procfs')


def our_programs(machine, abi, flavour):
    """Our own; those that change the clocks come last."""
    words = flavour + (' counter' if machine.counter else '')
    runs = [('abi', 'abi', 60), ('served', 'served', 60), ('times', 'times', 120),
            ('calibrate', 'calibrate', 60), ('follow', 'follow', 180)]
    if machine.time_ns:
        runs[3:3] = [(f'{name} in a time namespace', f'timens 1000000 2000000 /{abi}/{name}', 120)
                     for name in ('abi', 'served', 'times')]
    return [Program(f'{abi}: {name}', 'tap', seconds, f'/{abi}', f'/{abi}/{command} {words}')
            for name, command, seconds in runs
            if flavour == 'uvdso' or name != 'calibrate']


def is_there(source, name):
    """Not every kernel version has every test."""
    file = name.split()[0].removeprefix('timens-') + '.c'
    return any((source / 'tools/testing/selftests' / where / file).exists()
               for where in ('vDSO', 'timers', 'timens', 'x86'))


def kselftests(machine, abi, source):
    runs = [(f'{name} {args}'.strip(), seconds) for name, args, seconds, abis in KSELFTESTS
            if not abis or abi in abis]
    if machine.time_ns:
        runs += [(f'timens-{name}', 60) for name in TIMENS]
    folder = f'/{abi}/kselftest'
    return [Program(f'{abi}: kselftest {name}', 'status', seconds, folder, f'{folder}/{name}')
            for name, seconds in runs if is_there(source, name)]


def latency(abi):
    """The interval between two readings, and none of them negative."""
    return [Program(f'{abi}: timer-latency {flags}', 'status', 60, f'/{abi}',
                    f'/{abi}/timer-latency {flags} -n 20000 -r 3') for flags in ('-c 4', '-m')]


# What "readelf -h" calls the machines, and what else is needed to run their programs here.
ELF_MACHINES = {'X86-64': ('x86_64', []), '80386': ('i386', []),
                'AArch64': ('arm64', ['qemu-aarch64-static']), 'ARM': ('arm', ['qemu-arm-static'])}


def vdsotest_abi(path):
    """Of a vdsotest program, with the command by which it runs here."""
    text = subprocess.run(['readelf', '-h', path], capture_output=True, text=True,
                          check=False).stdout
    name = re.search(r'Machine:.*?(\S+)$', text, re.MULTILINE)
    if not os.access(path, os.X_OK) or not name or name.group(1) not in ELF_MACHINES:
        raise kernels.Failure(f'VDSOTEST={path} is not a program for a machine that is tested here')
    return ELF_MACHINES[name.group(1)]


def vdsotest(machine, path):
    """All that it can do with each of its APIs, on machines that it is built for."""
    if not path:
        return []
    abi, emulator = vdsotest_abi(path)
    if abi not in machine.abis:
        return []
    apis = subprocess.run([*emulator, path, 'list-apis'], capture_output=True, text=True,
                          check=False).stdout.split()
    if not apis:
        raise kernels.Failure(f'VDSOTEST={path} does not list its APIs: is it vdsotest, and static '
                              'if it is for another machine?')
    return [Program(f'vdsotest {api} {test}', 'status', 60, '/', f'/vdsotest -d 1 {api} {test}')
            for api in apis for test in ('verify', 'abi', 'bench')]


def programs(version, name, flavour):
    machine = MACHINES[name]
    source = kernels.folder(version) / flavour
    result = []
    for abi in machine.abis:
        result += our_programs(machine, abi, flavour) + latency(abi)
        result += kselftests(machine, abi, source)
    return result + vdsotest(machine, os.environ.get('VDSOTEST'))


def needed_libraries(program):
    """The interpreter and the names of shared libraries that a program asks for."""
    text = subprocess.run(['readelf', '-W', '-l', '-d', program], capture_output=True, text=True,
                          check=False).stdout
    interpreter = re.search(r'interpreter: ([^\]]+)', text)
    return interpreter.group(1) if interpreter else None, re.findall(r'NEEDED.*\[(.*)\]', text)


def library(compiler, name):
    path = subprocess.run(shlex.split(compiler) + [f'-print-file-name={name}'],
                          capture_output=True, text=True, check=True).stdout.strip()
    if '/' not in path:
        raise kernels.Failure(f"'{compiler}' does not find {name}, which the guest's programs need")
    return Path(path).resolve()


def add_libraries(files, compiler, where, program):
    """Into the folder in which the program looks."""
    interpreter, names = needed_libraries(program)
    if interpreter:
        name = interpreter.rpartition('/')[2]
        files.copy(interpreter.lstrip('/'), library(compiler, name))
    for name in names:
        if f'{where}/{name}' not in files.names:
            files.copy(f'{where}/{name}', library(compiler, name))
            add_libraries(files, compiler, where, library(compiler, name))


def build_kselftests(version, flavour, abi, compiler):
    """Built once for each source and compiler."""
    source = kernels.folder(version) / flavour
    path = kernels.folder(version) / 'kselftest' / abi
    stamp = path.with_suffix('.stamp')
    script = kernels.SRCTREE / 'tests/kernel/kselftest'
    wanted = f'{flavour} {compiler} {kernels.hash_files([script])}'
    if not path.exists() or not stamp.exists() or stamp.read_text(encoding='utf-8') != wanted:
        path.parent.mkdir(exist_ok=True)
        kernels.run(f"building the kernel's tests for {abi}",
                    [script, path, source, abi] + shlex.split(compiler) +
                    [f'-Wl,-rpath,/{abi}/lib'],
                    kernels.folder(version) / 'log' / f'kselftest-{abi}')
        stamp.write_text(wanted, encoding='utf-8')
    for missing in sorted(path.glob('*.missing')):
        raise kernels.Failure(f"the kernel's test {missing.stem} can't be built for {abi}: " +
                              missing.read_text(encoding='utf-8').strip())
    return path


def make_initramfs(to, version, name, flavour, runs):
    machine = MACHINES[name]
    files = Initramfs()
    files.copy('init', GUESTS / machine.abis[0] / 'init')
    files.copy('bin/sh', GUESTS / machine.abis[0] / 'init')
    files.file('list', ''.join(f'{r.name}\t{r.seconds}\t{r.folder}\t{r.command}\n'
                               for r in runs).encode(), 0o644)
    for abi in machine.abis:
        compiler = compilers()[abi]
        for program in sorted((GUESTS / abi).iterdir()):
            if program.suffix != '.d':
                files.copy(f'{abi}/{program.name}', program)
        if any('/kselftest/' in run.command for run in runs):
            for program in sorted(build_kselftests(version, flavour, abi, compiler).iterdir()):
                files.copy(f'{abi}/kselftest/{program.name}', program)
                add_libraries(files, compiler, f'{abi}/lib', program)
    if any(run.name.startswith('vdsotest ') for run in runs):
        path = os.environ['VDSOTEST']
        files.copy('vdsotest', path)
        add_libraries(files, compilers()[vdsotest_abi(path)[0]], 'lib', path)
    files.write(to)
