# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The kernels that are built and the machines that they are booted on.

To add a machine is to add an entry here, and a file of options in config/ for a new
kernel.
"""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Kernel:
    """One kernel binary: what make is told, and what comes out."""
    arch: str                   # as Linux's make takes it
    image: str                  # what to boot, below the folder of the build
    target: str
    cross: str = ''
    cross_compat: str = ''
    dtbs: tuple = ()            # make's names of device trees
    elf: str = 'vmlinux'
    vdsos: dict = field(default_factory=dict)   # ABI: its image below the build
    parts: tuple = ()           # make's names of what is built from our files


ARM = 'arm-linux-gnueabihf-'
X86_PARTS = ('kernel/time/uvdso.o', 'arch/x86/entry/vdso/')
KERNELS = {
    'x86_64': Kernel('x86_64', 'arch/x86/boot/bzImage', 'bzImage', vdsos={
        'x86_64': 'arch/x86/entry/vdso/vdso64.so',
        'i386': 'arch/x86/entry/vdso/vdso32.so',
        'x32': 'arch/x86/entry/vdso/vdsox32.so'}, parts=X86_PARTS),
    'i386': Kernel('i386', 'arch/x86/boot/bzImage', 'bzImage', vdsos={
        'i386': 'arch/x86/entry/vdso/vdso32.so'}, parts=X86_PARTS),
    'arm64': Kernel('arm64', 'arch/arm64/boot/Image', 'Image', 'aarch64-linux-gnu-', ARM, vdsos={
        'arm64': 'arch/arm64/kernel/vdso/vdso.so',
        'arm': 'arch/arm64/kernel/vdso32/vdso.so'},
                    parts=('kernel/time/uvdso.o', 'arch/arm64/kernel/vdso/',
                           'arch/arm64/kernel/vdso32/')),
    'arm': Kernel('arm', 'arch/arm/boot/zImage', 'zImage', ARM,
                  dtbs=('arm/vexpress-v2p-ca9.dtb', 'nxp/imx/imx6q-sabrelite.dtb'), vdsos={
        'arm': 'arch/arm/vdso/vdso.so'}, parts=('kernel/time/uvdso.o', 'arch/arm/vdso/')),
}


@dataclass(frozen=True)
class Machine:
    """One way to start QEMU."""
    kernel: str
    abis: tuple                 # the kernel's own first
    qemu: tuple                 # besides what all have
    console: str
    counter: bool = True        # programs can read the counter of its clock source
    time_ns: bool = True
    dtb: str = ''
    arguments: str = ''         # of the kernel


# Emulated TSCs agree and the timer works, however much a busy host's guest may doubt it.
SURE = 'tsc=reliable no_timer_check'
X86 = ('qemu-system-x86_64', '-m', '512', '-display', 'none', '-serial', 'stdio', '-monitor', 'none')
VIRT = ('-M', 'virt', '-m', '256', '-nographic', '-nodefaults', '-serial', 'stdio')

MACHINES = {
    'x86_64': Machine('x86_64', ('x86_64', 'i386', 'x32'), X86 + ('-cpu', 'max'), 'ttyS0',
                      arguments=SURE),
    'i386': Machine('i386', ('i386',), X86 + ('-cpu', 'max'), 'ttyS0', arguments=SURE),
    'arm64-cortex-a57': Machine('arm64', ('arm64', 'arm'),
                                ('qemu-system-aarch64', '-cpu', 'cortex-a57') + VIRT, 'ttyAMA0'),
    'arm64-max': Machine('arm64', ('arm64', 'arm'),
                         ('qemu-system-aarch64', '-cpu', 'max') + VIRT, 'ttyAMA0'),
    # 32-bit ARM has no time namespaces.
    'arm-virt': Machine('arm', ('arm',), ('qemu-system-arm', '-cpu', 'cortex-a15') + VIRT,
                        'ttyAMA0', time_ns=False),
    'arm-vexpress-a9': Machine('arm', ('arm',),
                               ('qemu-system-arm', '-M', 'vexpress-a9', '-m', '256', '-nographic',
                                '-nodefaults', '-serial', 'stdio'),
                               'ttyAMA0', counter=False, time_ns=False,
                               dtb='arm/vexpress-v2p-ca9.dtb'),
    # It can't be switched off: it restarts, by its watchdog.
    'arm-sabrelite': Machine('arm', ('arm',),
                             ('qemu-system-arm', '-M', 'sabrelite', '-m', '512', '-nographic',
                              '-nodefaults', '-serial', 'null', '-serial', 'stdio'),
                             'ttymxc1', counter=False, time_ns=False,
                             dtb='nxp/imx/imx6q-sabrelite.dtb'),
}


def command(name, image, initramfs, dtb, extra=('-smp', '2')):
    """The command that starts a machine."""
    machine = MACHINES[name]
    args = list(machine.qemu) + list(extra)
    args += ['-accel', 'tcg', '-no-reboot', '-kernel', image, '-initrd', initramfs]
    args += ['-append', f'console={machine.console} panic=-1 {machine.arguments}'.strip()]
    return args + (['-dtb', dtb] if machine.dtb else [])
