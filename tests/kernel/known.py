# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Tests of the kernel that fail with its own vDSO just as well: not ours to pass.

Each was seen to fail under the stock kernel on the same machine ("boot VERSION MACHINE stock").
"""
import re

# machines, versions, programs (regular expressions that match all of it), reason
KNOWN = [
    ('.*', '.*', '(i386|arm): kselftest set-tz',
     "the 32-bit C library's gettimeofday() never tells the time zone"),
]


def remark(machine, version, program):
    """What to say of a failure: "TODO reason", or nothing."""
    for machines, versions, programs, reason in KNOWN:
        if re.fullmatch(machines, machine) and re.fullmatch(versions, version) and \
           re.fullmatch(programs, program):
            return f'TODO {reason}'
    return ''
