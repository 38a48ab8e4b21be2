# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""A client for QEMU's gdbstub: breakpoints, single steps, registers, memory.

The protocol is that of GDB's manual, appendix "GDB Remote Serial Protocol". While it
steps, QEMU holds back interrupts and timers, so a step is one instruction of the code
that is looked at.
"""
import re
import socket
import time


class Stub:
    """A connection; the guest stands still from here on."""

    def __init__(self, path, seconds=30):
        self.socket = socket.socket(socket.AF_UNIX)
        end = time.monotonic() + seconds
        while True:
            try:
                self.socket.connect(path)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        self.socket.settimeout(120)
        self.pending = b''
        self.call('qSupported')
        self.call('?')
        self._drain()

    def _receive(self):
        while True:
            match = re.search(rb'\$([^#]*)#..', self.pending, re.DOTALL)
            if match:
                self.pending = self.pending[match.end():]
                self.socket.sendall(b'+')
                return match.group(1).decode('latin-1')
            data = self.socket.recv(65536)
            if not data:
                raise EOFError('QEMU closed the connection')
            self.pending += data

    def _drain(self):
        """QEMU tells on its own that the guest has stopped, before or after the answers."""
        time.sleep(0.2)
        self.socket.setblocking(False)
        try:
            while self.socket.recv(65536):
                pass
        except BlockingIOError:
            pass
        self.socket.settimeout(120)
        self.pending = b''

    def call(self, packet):
        """Sends a packet, returns the answer."""
        data = packet.encode('latin-1')
        self.socket.sendall(b'$' + data + b'#%02x' % (sum(data) & 255))
        return self._receive()

    def breakpoint(self, address, there=True):
        answer = self.call(f'{"Z" if there else "z"}1,{address:x},4')
        if answer != 'OK':
            raise RuntimeError(f'no breakpoint at {address:#x}: {answer or "not supported"}')

    def go(self):
        """Until the next breakpoint."""
        return self.call('c')

    def step(self):
        return self.call('s')

    def registers(self):
        return bytes.fromhex(self.call('g').replace('x', '0'))

    def memory(self, address, size):
        return bytes.fromhex(self.call(f'm{address:x},{size:x}'))

    def close(self):
        """The guest goes on, or ends with QEMU."""
        self.socket.close()


class Registers:
    """Where the machines keep program counter, stack pointer and return address, as
    QEMU's gdbstub orders the registers."""
    # Size of a register and of an address, number of the program counter, of the stack
    # pointer, of the link register. 32-bit kernels as well run on qemu-system-x86_64.
    PLACES = {'x86_64': (8, 8, 16, 7, None), 'i386': (8, 4, 16, 7, None),
              'arm64': (8, 8, 32, 31, 30), 'arm': (4, 4, 15, 13, 14)}

    def __init__(self, arch):
        self.word, self.address, self.pc_number, self.sp_number, self.link = self.PLACES[arch]

    def _get(self, data, number):
        return int.from_bytes(data[number * self.word:(number + 1) * self.word], 'little')

    def pc(self, data):
        return self._get(data, self.pc_number)

    def sp(self, data):
        return self._get(data, self.sp_number)

    def return_address(self, data, stub):
        """Of a function at its first instruction."""
        if self.link is not None:
            return self._get(data, self.link) & ~1 if self.word == 4 else self._get(data, self.link)
        return int.from_bytes(stub.memory(self.sp(data), self.address), 'little')


def count_call(stub, registers, watch=None, limit=20000):
    """Counts the instructions of the function at whose first one the guest stands, up to
    and with its return. watch() is called after each of them."""
    start = stub.registers()
    back, stack = registers.return_address(start, stub), registers.sp(start)
    for count in range(1, limit):
        stub.step()
        data = stub.registers()
        if watch:
            watch()
        if registers.pc(data) == back and registers.sp(data) >= stack:
            return count
    raise RuntimeError(f'the function did not return within {limit} instructions')
