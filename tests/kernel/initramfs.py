# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The guest's files: a cpio archive in the "newc" format, as the kernel's
Documentation/driver-api/early-userspace/buffer-format.rst describes it."""
import gzip
import stat
from pathlib import Path


class Initramfs:
    """Collects files; write() makes the archive."""

    def __init__(self):
        self.parts = []
        self.names = set()

    def _add(self, name, mode, content=b''):
        encoded = name.encode() + b'\0'
        fields = (len(self.parts) + 1, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(encoded), 0)
        header = b'070701' + b''.join(b'%08x' % field for field in fields) + encoded
        self.parts.append(header + bytes(-len(header) % 4) + content + bytes(-len(content) % 4))

    def folder(self, name):
        if name in self.names or not name:
            return
        self.folder(name.rpartition('/')[0])
        self.names.add(name)
        self._add(name, stat.S_IFDIR | 0o755)

    def file(self, name, content, mode=0o755):
        if name in self.names:
            return
        self.folder(name.rpartition('/')[0])
        self.names.add(name)
        self._add(name, stat.S_IFREG | mode, content)

    def copy(self, name, path):
        self.file(name, Path(path).read_bytes())

    def write(self, path):
        self._add('TRAILER!!!', 0)
        with gzip.open(path, 'wb', compresslevel=1) as output:
            output.write(b''.join(self.parts))
