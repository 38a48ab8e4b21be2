# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Unpacks Debian's kernel sources, installs uvdso into a copy and builds kernels.

Below $O/kernel/<version>/:
    stock/, uvdso/          the source, as it came and with uvdso
    <flavour>-<kernel>/     a kernel, built out of tree
    log/                    what the builds and the guests said

Everything is kept: what did not change is not built again.
"""
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from machines import KERNELS

SRCTREE = Path(os.environ.get('srctree') or Path(__file__).resolve().parents[2])
OUT = Path(os.environ.get('O') or SRCTREE / 'build') / 'kernel'
CONFIG = SRCTREE / 'tests/kernel/config'

# Half of a source is for machines and devices that no test boots; but for its Kconfig.
LEFT_OUT = ['drivers/gpu/drm/amd/include/*'] + [
    f'arch/{arch}/{files}' for files in ('*.[chS]', '*.dts*') for arch in (
        'alpha', 'arc', 'csky', 'hexagon', 'loongarch', 'm68k', 'microblaze', 'mips', 'nios2',
        'openrisc', 'parisc', 'powerpc', 's390', 'sh', 'sparc', 'xtensa')]


class Failure(Exception):
    """A sentence for people."""


def folder(version):
    path = OUT / version
    (path / 'log').mkdir(parents=True, exist_ok=True)
    return path


def environment():
    """Without what our own make exports: the kernel's make takes the same names."""
    keep = ('PATH', 'HOME', 'TMPDIR', 'USER')
    env = {name: os.environ[name] for name in keep if name in os.environ}
    return env | {'LC_ALL': 'C', 'KBUILD_BUILD_TIMESTAMP': '2020-01-01', 'KBUILD_BUILD_USER': 'u',
                  'KBUILD_BUILD_HOST': 'h'}


def run(what, command, log, **kwargs):
    """Runs a command with its output in a file. A failure shows the lines that say why."""
    with open(log, 'w', encoding='utf-8') as output:
        output.write(' '.join(map(str, command)) + '\n')
        output.flush()
        status = subprocess.call(command, stdout=output, stderr=subprocess.STDOUT,
                                 stdin=subprocess.DEVNULL, env=environment(), **kwargs)
    if status:
        lines = Path(log).read_text(encoding='utf-8', errors='replace').splitlines()
        errors = [line for line in lines if re.search(r'rror|refuse|\*\*\*|can.t', line)]
        raise Failure(f'{what} failed (all of it is in {log}):\n' +
                      '\n'.join((errors or lines)[-12:]))


class Lock:
    """One builder at a time below a folder."""
    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.file = open(self.path, 'w', encoding='utf-8')
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self.file.close()


def archive(version):
    return Path(os.environ.get('KERNEL_SOURCE') or f'/usr/src/linux-source-{version}.tar.xz')


def unpacked(version, flavour):
    """A file as old as the unpacked source."""
    return folder(version) / f'{flavour}.unpacked'


def unpack(version, flavour):
    """The source; there is all of it or nothing."""
    source = folder(version) / flavour
    if source.exists():
        return source
    tar = archive(version)
    if not tar.exists():
        raise Failure(f'there is no kernel source {tar}: install linux-source-{version}, '
                      'or say where it is by KERNEL_SOURCE=')
    partial = source.with_suffix('.part')
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    run(f'unpacking {tar}', ['tar', '-C', partial, '--strip-components=1', '-xf', tar] +
        [f'--exclude=*/{pattern}' for pattern in LEFT_OUT],
        folder(version) / 'log' / f'unpack-{flavour}')
    unpacked(version, flavour).touch()
    partial.rename(source)
    return source


def hash_files(paths):
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(f'{path}\0'.encode())
        total.update(Path(path).read_bytes())
    return total.hexdigest()


def repository_hash():
    """Changes when anything that install-kernel may put into a tree does."""
    found = [path for where in ('include', 'lib', 'arch', 'kernel')
             for path in (SRCTREE / where).rglob('*') if path.is_file()]
    return hash_files(found)


def changed_files(source, since):
    """Files of a tree that were written after it was unpacked: content and time."""
    result = {}
    for top, dirs, names in os.walk(source):
        if '.uvdso' in dirs:
            dirs.remove('.uvdso')
        for name in names:
            path = os.path.join(top, name)
            stat = os.lstat(path)
            if stat.st_mtime > since and os.path.isfile(path):
                result[path] = (hash_files([path]), stat.st_mtime_ns)
    return result


def make_goal(goal, source, log):
    run(f"'make {goal}'", ['make', '-C', SRCTREE, goal, f'KDIR={source}', f'O={OUT / "install"}'],
        log)


def install(version):
    """The tree with uvdso. Files that are the same as before keep their time, or most
    of the kernel would be built again."""
    source = unpack(version, 'uvdso')
    stamp = folder(version) / 'uvdso.stamp'
    wanted = repository_hash()
    if stamp.exists() and stamp.read_text(encoding='utf-8') == wanted:
        return source
    since = unpacked(version, 'uvdso').stat().st_mtime
    before = changed_files(source, since)
    stamp.unlink(missing_ok=True)
    log = folder(version) / 'log'
    if (source / '.uvdso').exists():
        make_goal('uninstall-kernel', source, log / 'uninstall')
    make_goal('install-kernel', source, log / 'install')
    for path, (content, _) in changed_files(source, since).items():
        if path in before and before[path][0] == content:
            os.utime(path, ns=(before[path][1], before[path][1]))
    stamp.write_text(wanted, encoding='utf-8')
    return source


def fragments(name, flavour):
    paths = [CONFIG / 'common.config', CONFIG / f'{name}.config']
    return paths + ([CONFIG / 'uvdso.config'] if flavour == 'uvdso' else [])


def make_command(name, source, build_path):
    kernel = KERNELS[name]
    return ['make', '-C', source, f'O={build_path}', f'ARCH={kernel.arch}',
            f'CROSS_COMPILE={kernel.cross}', f'CROSS_COMPILE_COMPAT={kernel.cross_compat}']


def options(path):
    """What a configuration says of each option; nothing is as good as "is not set"."""
    found = {}
    for line in path.read_text(encoding='utf-8').splitlines():
        match = re.match(r'(?:# )?(CONFIG_\w+)(?:=| is not set$)(.*)', line)
        if match:
            found[match.group(1)] = match.group(2)
    return found


def check_config(build_path, paths):
    """An option that did not survive depends on one that is missing."""
    have = options(build_path / '.config')
    wanted = {name: value for path in paths for name, value in options(path).items()}
    lost = [f'{name}={value or "n"}' for name, value in wanted.items()
            if have.get(name, '') != value]
    if lost:
        raise Failure(f'{build_path}/.config lacks ' + ', '.join(lost))


def configure(name, flavour, source, build_path, log):
    paths = fragments(name, flavour)
    stamp = build_path / '.fragments'
    wanted = hash_files(paths)
    if stamp.exists() and stamp.read_text(encoding='utf-8') == wanted:
        return
    make = make_command(name, source, build_path)
    run('make tinyconfig', make + ['tinyconfig'], log)
    with open(build_path / '.config', 'a', encoding='utf-8') as config:
        for path in paths:
            config.write(path.read_text(encoding='utf-8'))
    run('make olddefconfig', make + ['olddefconfig'], log)
    check_config(build_path, paths)
    stamp.write_text(wanted, encoding='utf-8')


def build(version, name, flavour):
    """Builds a kernel, or what of it changed. Returns the folder of the build."""
    with Lock(folder(version) / '.lock'):
        source = install(version) if flavour == 'uvdso' else unpack(version, 'stock')
        path = folder(version) / f'{flavour}-{name}'
        path.mkdir(exist_ok=True)
        log = folder(version) / 'log' / f'build-{flavour}-{name}'
        configure(name, flavour, source, path, log)
        kernel = KERNELS[name]
        jobs = f'-j{os.cpu_count()}'
        run(f'building the {flavour} kernel {version} for {name}',
            make_command(name, source, path) + [jobs, kernel.target, *dtb_targets(version, name)],
            log)
        return path


def dtb_targets(version, name):
    """Until 6.4 the device trees of arm lay in one folder."""
    flat = version == '6.1'
    return [dtb.rsplit('/', 1)[-1] if flat else dtb for dtb in KERNELS[name].dtbs]


def dtb_path(build_path, version, dtb):
    if not dtb:
        return ''
    name = dtb.rsplit('/', 1)[-1] if version == '6.1' else dtb
    return str(build_path / 'arch/arm/boot/dts' / name)
