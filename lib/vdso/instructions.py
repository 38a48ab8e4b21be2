# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""The instructions of an image for check-ordering: each decoded once, with what a path has to
remember at it. That is all that this file is for: too little of it only makes check-ordering
report what it can't follow."""
import re

SETS_FLAGS = {"compare", "check", "test", "result", "noflags"}
REPLACE = {"move", "narrow", "lea", "add", "sub", "mask", "cancel", "shift", "lose", "set", "high",
           "leading", "right", "word"}
FRAME = "frame"


class Wrong(Exception):
    """What is wrong with a path that ends here."""


class Code:
    """Instructions by address: text, decoded operations, and what is live there."""

    def __init__(self, image, decode):
        self.image, self.decode, self.word = image, decode, image.facts["class"] // 8
        self.text = dict(image.code)
        addresses = sorted(self.text)
        self.following = dict(zip(addresses, [*addresses[1:], None]))
        self.decoded = {}
        self.thumb = image.thumb()
        # One of the names of each function, and no trampoline, which nobody returns from.
        self.starts = {s["st_value"] - self.thumb: s.name for s in image.functions()
                       if "sigreturn" not in s.name}
        self.calls = {pc for pc in self.text if self.is_call(pc)}
        self.heights = self.stack_heights()
        self.live = self.liveness()
        branches = [pc for pc in self.text if self.jumps(pc)]
        self.leaders = {t for pc in branches for t in [*self.jumps(pc), self.following[pc]]}

    def operations(self, pc):
        if pc not in self.text:
            raise Wrong("runs on to where no instruction is")
        if pc not in self.decoded:
            try:
                self.decoded[pc] = self.decode.decode(self.text[pc], pc, self.following[pc], self)
            except (AttributeError, LookupError, TypeError, ValueError):
                # A known name, but not the operands that it comes with.
                self.decoded[pc] = None
        if self.decoded[pc] is None:
            raise Wrong("is an instruction that arch/*/vdso/decode.py does not know: add it")
        return self.decoded[pc]

    def known(self, pc):
        """The same for whoever looks at all, also at what no path leads to."""
        try:
            return self.operations(pc)
        except Wrong:
            return []

    def constant(self, address, size):
        """What the image's own data hold there."""
        data = self.image.data[address:address + size]
        order = "little" if self.image.elf.little_endian else "big"
        return ("num", int.from_bytes(data, order, signed=True))

    def is_call(self, pc):
        """Not if it only serves to learn the address of the next instruction."""
        return any(op[0] == "call" and op[1] != self.following[pc] for op in self.known(pc))

    def jumps(self, pc):
        return [op[1] for op in self.known(pc) if op[0] in ("jump", "branch", "call")]

    def successors(self, pc):
        """Where it goes on within the function, as far as it is the image's code."""
        names = {op[0] for op in self.known(pc)}
        nexts = [] if pc in self.calls else self.jumps(pc)
        if not names & {"jump", "return"}:
            nexts = [*nexts, self.following[pc]]
        return [n for n in nexts if n in self.text]

    def stack_heights(self):
        """The stack pointer at each instruction, from the function's begin on; None: not known."""
        called = {op[1] for pc in self.calls for op in self.known(pc) if op[0] == "call"}
        heights = {pc: 0 for pc in called.union(self.starts) if pc in self.text}
        todo = list(heights)
        while todo:
            pc = todo.pop()
            height = heights[pc] if pc in self.calls else self.height_after(pc, heights[pc])
            for successor in self.successors(pc):
                if successor not in heights:
                    heights[successor] = height
                    todo.append(successor)
                elif heights[successor] not in (height, None):
                    heights[successor] = None
        return heights

    def height_after(self, pc, height):
        for operation in self.known(pc):
            height = self.moved(operation, height)
        return height

    def moved(self, operation, height):
        """The stack's height after an operation."""
        name, *operands = operation
        if name not in REPLACE or operands[0] != ("reg", self.decode.STACK):
            return height
        constant = name in ("add", "sub") and operands[1] == operands[0] and operands[2][0] == "imm"
        if not constant or height is None:
            return None
        return height + operands[2][1] * (1 if name == "add" else -1)

    def effects(self, pc):
        """Registers and places of the stack that an instruction reads, and that it replaces."""
        uses, results, surely = set(), set(), True
        height = self.heights.get(pc)
        for operation in self.known(pc):
            read, written = self.touched(operation, height)
            uses |= read - results
            surely &= operation[0] != "perhaps"
            if surely:
                results |= written
            height = self.moved(operation, height)
        return frozenset(uses), frozenset(results)

    def touched(self, operation, height):
        """The same for one operation. Places of the stack are numbers; what a copy of the stack
        pointer will be used for is not known, so it uses the whole FRAME."""
        name, *operands = operation
        read, written = set(), set()
        # A branch may compare by itself.
        compares = name == "branch" and len(operands) > 2
        if name in ("branch", "perhaps", "set") and not compares:
            read.add("flags")
        if compares or name in SETS_FLAGS or any(o is True for o in operands):
            written.add("flags")
        stack = ("reg", self.decode.STACK)
        if name in REPLACE and stack in operands[1:] and operands[0] != stack:
            read.add(FRAME)
        for number, operand in enumerate(operands):
            if not isinstance(operand, tuple):
                continue
            into = written if name in REPLACE and not number else read
            if operand[0] == "reg":
                into.add(operand[1])
            elif operand[0] == "mem":
                read |= {operand[1], operand[3]} - {None}
                if operand[1] == self.decode.STACK and not operand[3] and height is not None:
                    into.add(height + operand[2])
        return read, written

    def liveness(self):
        """What may be used from an instruction on, for each."""
        order = sorted(self.text, reverse=True)
        effects = {pc: self.effects(pc) for pc in order}
        live, before = dict.fromkeys(order, frozenset()), None
        while live != before:
            before = dict(live)
            returned = frozenset(self.decode.KEPT).union(
                *(registers(live.get(self.following[pc], ())) for pc in self.calls))
            for pc in order:
                out = self.live_after(pc, live, returned)
                uses, results = effects[pc]
                live[pc] = uses | out - results
        return live

    def live_after(self, pc, live, returned):
        out = frozenset().union(*(live[n] for n in self.successors(pc)))
        if pc in self.calls:
            # What the caller keeps in registers is among what is live at the return.
            called = frozenset().union(*(registers(live.get(t, ())) for t in self.jumps(pc)))
            surely = all(op[0] != "perhaps" for op in self.known(pc))
            return called | (out - registers(out) if surely else out)
        return out | returned if any(op[0] == "return" for op in self.known(pc)) else out


def registers(live):
    return frozenset(name for name in live if isinstance(name, str))
