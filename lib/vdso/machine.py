# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""Executes the instructions of an image with addresses instead of numbers: a register
holds an address of the mapping, of the stack or of the caller's, a sequence
counter, a constant, or something unknown. Both ways of a branch are followed, unless
it is known which one is taken. What can't be followed is an error, never passed over.

arch/*/vdso/decode.py makes operations of an instruction, tuples of a name and operands:

  move DST SRC, narrow, word	a copy; of constants only; of 32 bits with their sign
  lea DST MEM			the address
  add, sub, mask, cancel DST A B	sum, difference, and, exclusive or; sub and cancel with a
				last True set the flags
  shift DST SRC N, right DST SRC N WIDTH, high DST SRC N, leading DST SRC WIDTH
				shift to the left, to the right; upper half; leading zeros
  lose DST SRC...		any other computation
  swap A B
  compare A B, check A B		set the flags, check by a part of a register
  test A B, result DST, noflags	flags of the bits that both have; of a register against 0;
				flags that tell nothing
  set DST CONDITION		1 if it holds, else 0
  perhaps CONDITION		the operations that follow happen only if it holds
  branch TARGET CONDITION [A B], jump TARGET, call TARGET LINK, return ADDRESS
  counter REGISTER...		a counter is read into them
  trap				a system call

Operands: ("reg", name), ("imm", number), ("mem", base, offset, index, scale, size). A
condition is a name of COMPARE or any other name, its opposite has a "!" before it; None:
nothing is known of it.
"""
import operator

from instructions import FRAME, Wrong

# A value is None if nothing is known of it, or one of these tuples:
#   ("num", n)			a constant
#   ("sp", offset)		an address on the stack, from where it was on entry
#   ("arg", name, offset)	what the caller passed, and what lies around it
#   ("map", offset, index)	an address from the image's begin on: its pages are below 0
#   ("scaled", offset, index)	a multiple of something, to be added to an address
#   ("seq", record, pc)		a sequence counter, loaded at pc
#   ("even", record, pc)	the same without its lowest bit
#   ("mode", record)		a mode
#   ("choice",)			something computed from a mode
#   ("counter",)		a counter's value
#   ("nonzero",)		a number that is not 0
#   ("small",)			the number of zeros above one: less than a register's width
#   ("exit",)			the address in the caller to return to
#   ("result", register)		only in flags: whatever that register holds
# An index is a sorted tuple of pairs: the name of an unknown number, and its factor;
# factor 0 says that the address waits for the number without changing by it.

NO_FLAGS = (None, None, frozenset())
# Conditions after a comparison, those of which the opposite is written with a "!".
COMPARE = {"eq": operator.eq, "hi": operator.gt, "hs": operator.ge, "gt": operator.gt,
           "ge": operator.ge}
# An index has at least a record's size for its factor, and at most a page's. No loop counts
# to COUNTED, and nobody writes a function with more than MAX_STATES ways through it.
MIN_FACTOR = 64
COUNTED = 4096
MAX_FACTOR = 0x10000
MAX_STATES = 100000


class Done(Exception):
    """Ends a path: nothing is left to look at, or it goes on from elsewhere."""


class State:
    """A moment on a path."""

    def __init__(self, pc, regs, stack):
        self.pc, self.regs = pc, dict(regs)
        self.stack = dict(stack)	# from offset to size and value
        self.zero = {}			# what is known of the caller's values: name to bool
        self.windows = {}		# by kind of page
        self.mode = (None, ())		# the record whose mode was read last, stages since
        self.ended = False		# a read has, and no other has begun

    def copy(self):
        new = State.__new__(State)
        new.__dict__ = {k: v.copy() if isinstance(v, dict) else v
                        for k, v in self.__dict__.items()}
        return new

    def replace(self, new):
        """Puts @new of it in place of each value."""
        a, b, known = self.regs.pop("flags", NO_FLAGS)
        self.regs = {name: new(value) for name, value in self.regs.items()}
        self.regs["flags"] = (new(a), new(b), known)
        self.stack = {n: (size, new(value)) for n, (size, value) in self.stack.items()}

    def key(self):
        return (self.pc, frozenset(i for i in self.regs.items() if i[1]),
                frozenset(self.stack.items()), frozenset(self.zero.items()),
                frozenset(self.windows.items()), self.mode, self.ended)


class Machine:
    """Executes one function. Methods named do_* are the operations of the decoders."""

    def __init__(self, code, decode, name):
        self.code, self.decode, self.name = code, decode, name
        self.problems, self.seen, self.todo = {}, set(), []

    def wrong(self, pc, what):
        self.problems.setdefault(f"{self.name}, '{self.code.text.get(pc)}' at {pc:#x}: {what}")

    # Arithmetic with values.

    @staticmethod
    def merged(index, other):
        return tuple(sorted(set(index + other)))

    def add(self, a, b, pc):
        """The sum. Small constants are not added up: that would tell the turns of a loop apart."""
        if a and b and a[0] == b[0] == "num" and max(abs(a[1]), abs(b[1])) >= COUNTED:
            return ("num", a[1] + b[1])
        for x, y in ((a, b), (b, a)):
            kind = x and x[0]
            if kind in ("map", "scaled") and y:
                if y[0] == "num":
                    return (kind, x[1] + y[1], x[2])
                if y[0] == "scaled":
                    return (kind, x[1] + y[1], self.merged(x[2], y[2]))
            if kind == "map" and (not y or y[0] != "map"):
                return ("map", x[1], self.merged(x[2], ((f"@{pc:x}", 1),)))
            if kind in ("sp", "arg") and y and y[0] == "num" and x[-1] is not None:
                return (*x[:-1], x[-1] + y[1])
            if kind == "arg":
                return ("arg", x[1], None)
        return self.choice(a, b)

    @staticmethod
    def choice(*values):
        """What a branch depends on the mode by, if one of the values does."""
        return ("choice",) if any(v and v[0] in ("mode", "choice") for v in values) else None

    def sub(self, a, b, pc):
        if b and b[0] == "num":
            return a if b[1] == 0 else self.add(a, ("num", -b[1]), pc)
        return ("num", 0) if a and a == b else self.choice(a, b)

    @staticmethod
    def shift(a, count, pc):
        """To the left. Beyond a page's size it is no part of an address any more."""
        if a and a[0] == "num" and count <= 32:
            return ("num", a[1] << count)
        if a and a[0] == "scaled" and all(f << count <= MAX_FACTOR for _, f in a[2]):
            return ("scaled", a[1] << count, tuple((n, f << count) for n, f in a[2]))
        if a and a[0] == "arg" and a[2] == 0 and count <= 32:
            return ("scaled", 0, ((a[1], 1 << count),))
        return ("scaled", 0, ((f"@{pc:x}", 1 << count),)) \
            if not a and MIN_FACTOR <= 1 << count <= MAX_FACTOR else Machine.choice(a)

    def mask(self, a, b, pc):
        """The bits that both have."""
        if a and b and a[0] == b[0] == "num":
            return ("num", a[1] & b[1])
        if ("num", 0) in (a, b):
            return ("num", 0)
        if a and a[0] == "seq" and b and b[0] == "num" and b[1] % 2 ** 32 == 2 ** 32 - 2:
            return ("even", *a[1:])
        if b and b[0] == "num":
            if a and a[0] == "sp":
                return ("sp", a[1] & b[1])
            lowest = b[1] & -b[1]
            return self.choice(a) or \
                (("scaled", 0, ((f"@{pc:x}", lowest),)) if lowest >= MIN_FACTOR else None)
        return a if a == b else self.choice(a, b)

    # Memory.

    def value(self, state, operand):
        kind, what = operand[0], operand[1]
        if kind == "reg":
            return state.regs.get(what)
        return ("num", what) if kind == "imm" else self.load(state, operand)

    def address(self, state, mem):
        _, base, offset, index, scale, _ = mem
        value = state.regs.get(base) if base else ("map", 0, ())
        if index:
            factor = state.regs.get(index)
            factor = self.shift(factor, scale.bit_length() - 1, state.pc) if scale > 1 else factor
            value = self.add(value, factor, state.pc)
        return self.add(value, ("num", offset), state.pc) if offset else value

    def load(self, state, mem):
        address = self.address(state, mem)
        kind = address and address[0]
        if kind == "sp":
            return self.load_stack(state, address[1], mem[5])
        if kind == "map":
            return self.load_image(state, address, mem[5])
        if kind != "arg":
            raise Wrong("loads from an address that can't be followed back to a page")
        return None

    @staticmethod
    def load_stack(state, offset, size):
        slot = state.stack.get(offset)
        if slot:
            return slot[1] if slot[0] == size or slot[1] == ("exit",) else None
        return ("arg", f"stack {offset}", 0) if offset >= 0 else None

    def store(self, state, mem, value):
        address, size = self.address(state, mem), mem[5]
        kind = address and address[0]
        if kind == "sp":
            start = address[1]
            for other, (length, _) in list(state.stack.items()):
                if other < start + size and start < other + length:
                    del state.stack[other]
            state.stack[start] = (size, value)
        elif kind != "arg":
            raise Wrong("stores to an address that is neither the stack's nor the caller's")

    def put(self, state, operand, value):
        if operand[0] == "mem":
            self.store(state, operand, value)
            return
        a, b, known = state.regs.get("flags", NO_FLAGS)
        if a == ("result", operand[1]):
            state.regs["flags"] = (None, b, known)
        if value is None:
            state.regs.pop(operand[1], None)
        else:
            state.regs[operand[1]] = value

    # Operations.

    def do_move(self, state, dst, src):
        self.put(state, dst, self.value(state, src))

    def do_narrow(self, state, dst, src):
        """The lowest bits, extended again: only constants stay what they are."""
        value = self.value(state, src)
        self.put(state, dst, value if value and value[0] == "num" else None)

    def do_high(self, state, dst, src, number):
        """Sets the upper half of 32 bits."""
        value = self.value(state, src)
        number = number << 16 | value[1] & 0xffff if value and value[0] == "num" else None
        self.put(state, dst, None if number is None else
                 ("num", number - 2 ** 32 if number >> 31 else number))

    def do_word(self, state, dst, src):
        """The lower 32 bits with their sign; addresses and indices have no more."""
        value = self.value(state, src)
        if value and value[0] == "num":
            value = ("num", (value[1] + 2 ** 31) % 2 ** 32 - 2 ** 31)
        self.put(state, dst, value)

    def do_swap(self, state, a, b):
        first, second = self.value(state, a), self.value(state, b)
        self.put(state, a, second)
        self.put(state, b, first)

    def do_set(self, state, dst, relation):
        """1 if a condition holds, else 0. What is above the lowest byte is not looked at."""
        taken = self.decided(state, relation) if relation else None
        if taken is None:
            self.put(self.fork(state, relation), dst, ("num", 0))
        self.put(state, dst, ("num", 0 if taken is False else 1))

    def do_lea(self, state, dst, mem):
        self.put(state, dst, self.address(state, mem))

    def do_add(self, state, dst, a, b):
        self.put(state, dst, self.add(self.value(state, a), self.value(state, b), state.pc))

    def do_mask(self, state, dst, a, b):
        self.put(state, dst, self.mask(self.value(state, a), self.value(state, b), state.pc))

    def do_sub(self, state, dst, a, b, flags=False):
        a, b = self.value(state, a), self.value(state, b)
        self.compared(state, a, b, flags)
        self.put(state, dst, self.sub(a, b, state.pc))

    def do_cancel(self, state, dst, a, b, flags=False):
        """Exclusive or. That of a counter's value with itself is 0, but has to wait for it."""
        same, a, b = a == b, self.value(state, a), self.value(state, b)
        self.compared(state, a, b, flags)
        result = ("num", 0) if same else self.choice(a, b)
        if self.comparable(a, b):
            result = ("num", 0) if a == b else ("nonzero",)
        if same and a == ("counter",):
            result = ("scaled", 0, (("counter", 0),))
        self.put(state, dst, result)

    def do_shift(self, state, dst, src, count):
        self.put(state, dst, self.shift(self.value(state, src), count, state.pc))

    def do_lose(self, state, dst, *sources):
        """Any other computation: the result is unknown."""
        values = [self.value(state, source) for source in sources]
        if len([v for v in values if v and v[0] in ("seq", "even")]) > 1:
            raise Wrong("computes with two sequence counters in a way that is not known")
        if dst:
            self.put(state, dst, self.choice(*values))

    def do_compare(self, state, a, b):
        first, second = self.value(state, a), self.value(state, b)
        if first is None and a[0] == "reg" and second == ("num", 0):
            first = ("result", a[1])
        self.compared(state, first, second, True)

    def do_check(self, state, a, b):
        """The same, of a part of a register."""
        self.compared(state, self.value(state, a), self.value(state, b), True)

    def do_leading(self, state, dst, src, width):
        """Counts the zeros above the highest one. Compilers shift it to see whether it is 0."""
        value = self.value(state, src)
        if value is None:
            other = self.fork(state, None)
            self.put(other, src, ("num", 0))
            self.put(other, dst, ("num", width))
            value = ("nonzero",)
            self.put(state, src, value)
        if value == ("nonzero",):
            self.put(state, dst, ("small",))
        elif value[0] == "num":
            self.put(state, dst, ("num", width - (value[1] % 2 ** width).bit_length()))
        else:
            self.put(state, dst, None)

    def do_right(self, state, dst, src, count, width):
        """A shift to the right."""
        value = self.value(state, src)
        if value == ("small",) and 1 << count >= width:
            self.put(state, dst, ("num", 0))
        elif value and value[0] == "num":
            self.put(state, dst, ("num", (value[1] % 2 ** width) >> count))
        elif value and value[0] == "scaled" and \
                all(n % (1 << count) == 0 for n in (value[1], *(f for _, f in value[2]))):
            # To the left and back: an index that was cut to 32 bits on the way.
            self.put(state, dst, ("scaled", value[1] >> count,
                                  tuple((name, f >> count) for name, f in value[2])))
        else:
            self.put(state, dst, self.choice(value))

    def do_result(self, state, register):
        """Flags that compare a register with 0."""
        value = state.regs.get(register[1]) if register[0] == "reg" else None
        if value is None and register[0] == "reg":
            value = ("result", register[1])
        state.regs["flags"] = (value, ("num", 0), frozenset())

    def compared(self, state, a, b, flags):
        if flags:
            state.regs["flags"] = (a, b, frozenset())
        if a and b and a != b and {a[0], b[0]} <= {"seq", "even"}:
            self.close(state, a, b)

    def do_test(self, state, a, b):
        """Flags that are made of bits, not of a comparison."""
        a, b = self.value(state, a), self.value(state, b)
        bits = ("num", a[1] & b[1]) if a and b and a[0] == b[0] == "num" else self.choice(a, b)
        state.regs["flags"] = (bits, ("num", 0), frozenset())

    def do_noflags(self, state):
        state.regs.pop("flags", None)

    # Where it goes on.

    def decided(self, state, relation):
        """Whether a condition on the flags holds: True, False, or None: it may."""
        name, positive = relation.lstrip("!"), relation[0] != "!"
        a, b, known = state.regs.get("flags", NO_FLAGS)
        for holds in (True, False):
            if (name, holds) in known:
                return holds == positive
        if a and b and a[0] == b[0] == "num" and name in COMPARE and \
                (name == "eq" or min(a[1], b[1]) >= 0):
            return COMPARE[name](a[1], b[1]) == positive
        if name == "eq" and a and a[0] in ("nonzero", "sp") and b == ("num", 0):
            return not positive
        if name == "eq" and self.comparable(a, b):
            return (a == b) == positive
        if a and a[0] == "arg" and a[2] == 0 and b == ("num", 0) and a[1] in state.zero and \
                name == "eq":
            return state.zero[a[1]] == positive
        return None

    @staticmethod
    def comparable(a, b):
        """Two addresses with the same unknown in them."""
        if not a or not b or a[0] != b[0]:
            return False
        return a[0] == "map" and a[2] == b[2] or \
            a[0] == "arg" and a[1] == b[1] and None not in (a[2], b[2])

    @staticmethod
    def learn(state, relation, holds):
        """What is known once a branch was taken, or not."""
        name, holds = relation.lstrip("!"), holds == (relation[0] != "!")
        a, b, known = state.regs.get("flags", NO_FLAGS)
        state.regs["flags"] = (a, b, known | {(name, holds)})
        if name != "eq":
            return
        if a and a[0] == "arg" and a[2] == 0 and b == ("num", 0):
            state.zero[a[1]] = holds
        if a and a[0] == "result":
            state.regs[a[1]] = ("num", 0) if holds else ("nonzero",)
        if holds and a and a[0] == "mode" and b and b[0] == "num":
            for where, old, new in ((state.regs, a, b), *((state.stack, (n, a), (n, b))
                                                         for n in (4, 8))):
                for key in [k for k, value in where.items() if value == old]:
                    where[key] = new

    def fork(self, state, relation):
        """Another state in which the condition does not hold, while it holds in this one."""
        other = state.copy()
        other.pc = self.code.following[state.pc]
        if relation:
            self.learn(other, relation, False)
            self.learn(state, relation, True)
        self.todo.append(other)
        return other

    def do_branch(self, state, target, relation, *operands):
        """@operands: what is compared here, unless the flags tell."""
        if operands:
            self.do_compare(state, *operands)
        if self.choice(*state.regs.get("flags", NO_FLAGS)[:2]):
            self.branch_on_mode(state)
        taken = self.decided(state, relation) if relation else None
        if taken is None:
            self.fork(state, relation)
        if taken is not False:
            self.do_jump(state, target)

    def do_perhaps(self, state, relation):
        """The rest of the instruction is executed if a condition holds."""
        taken = self.decided(state, relation) if relation else None
        if taken is None:
            self.fork(state, relation)
        if taken is False:
            state.pc = self.code.following[state.pc]
            self.todo.append(state)
            raise Done

    def do_jump(self, state, target):
        state.pc = target
        self.todo.append(state)
        raise Done

    def do_call(self, state, target, link):
        """@link: where the return address goes, a register or the stack."""
        after = self.code.following[state.pc]
        self.forget_here(state, target, self.code.live.get(after, ()))
        self.put(state, link, ("map", after, ()))
        self.do_jump(state, target)

    def do_return(self, state, operand):
        value = self.value(state, operand)
        if value and value[0] == "map" and not value[2]:
            self.do_jump(state, value[1])
        if value != ("exit",):
            raise Wrong("returns to an address that is not known")
        self.returned(state)
        raise Done

    def run(self, state):
        """One path, up to where it was before."""
        while True:
            if state.pc in self.code.leaders:
                self.forget(state)
                key = state.key()
                if key in self.seen:
                    return
                self.seen.add(key)
            operations = self.code.operations(state.pc)
            self.step(state, self.code.text[state.pc])
            for name, *operands in operations:
                getattr(self, "do_" + name)(state, *operands)
            state.pc = self.code.following[state.pc]

    def forget(self, state):
        """What can't be used any more would only tell paths apart."""
        live = self.code.live[state.pc]
        state.regs = {name: v for name, v in state.regs.items() if v and name in live}
        self.forget_places(state, live, self.code.heights.get(state.pc))
        self.forget_windows(state)

    def forget_here(self, state, target, live):
        """The same before a call, of what is the caller's own. @live: when it returns."""
        if state.pc not in self.code.calls:
            return
        state.regs = {name: v for name, v in state.regs.items()
                      if name in live or name not in self.decode.SAVED}
        top = state.regs.get(self.decode.STACK)
        passed = {o: slot for o, slot in state.stack.items()
                  if top and o - top[1] in self.code.live.get(target, ())}
        height = self.code.height_after(state.pc, self.code.heights.get(state.pc))
        self.forget_places(state, live, height)
        state.stack |= passed

    def forget_places(self, state, live, height):
        """Those of the function's own part of the stack, which begins @height above its top."""
        top = state.regs.get(self.decode.STACK)
        frame = top[1] - height if top and height is not None else None
        if FRAME in live or self.points_to_stack(state):
            frame = None
        state.stack = {offset: slot for offset, slot in state.stack.items() if slot[1] and
                       (frame is None or offset >= frame or offset - frame in live)}

    def points_to_stack(self, state):
        """Whether something else than the stack pointer does."""
        others = {name: value for name, value in state.regs.items() if name != self.decode.STACK}
        return any(value and value[0] == "sp" for value in
                   [*others.values(), *(value for _, value in state.stack.values())])

    def follow(self, start):
        self.todo = [State(start, *self.decode.entry(self.code))]
        while self.todo:
            state = self.todo.pop()
            try:
                self.run(state)
            except Done:
                pass
            except Wrong as error:
                self.wrong(state.pc, str(error))
            if len(self.seen) > MAX_STATES:
                self.wrong(start, "has more paths than can be followed")
                return
