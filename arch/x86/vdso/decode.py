# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the instructions of x86 do, in the operations of lib/vdso/machine.py.
They come in AT&T syntax: "movl 4(%r13), %eax"."""
import re

RESULT, STACK = "ax", "sp"
# What a function's caller may use after the return.
SAVED = ["bx", "bp", "r12", "r13", "r14", "r15"]
KEPT = ["ax", "dx", "sp", "si", "di", *SAVED]
SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}
MEMORY = re.compile(r"(-?(?:0x)?[0-9a-f]+)?\(%(\w+)?(?:,%(\w+)(?:,(\d))?)?\)$")
# The last operand takes a result that is neither an address nor looked at for equality.
LAST = re.compile(r"(adc|adcx|adox|sbb|or|not|neg|inc|dec|imul|mulx|sh[lr]|sa[lr]|ro[lr]|rc[lr]|"
                  r"sh[lr]d|bswap|bs[fr]|[tl]zcnt|popcnt|bt[src]|sarx|shlx|shrx|rorx|andn|bextr|"
                  r"blsi|blsr|blsmsk|bzhi|pdep|pext|movbe|lsl)[bwlq]?$")
EXTEND = re.compile(r"mov[sz]([bwl])[wlq]$")
NOTHING = re.compile(r"(nop\w?|endbr32|endbr64|pause|lfence|int3|data16|cs|rep)$")
IMPLICIT = {"cltq": ["ax"], "cwtl": ["ax"], "cltd": ["dx"], "cqto": ["dx"]}
CONDITIONS = {"e": "eq", "ne": "!eq", "a": "hi", "be": "!hi", "ae": "hs", "b": "!hs", "g": "gt",
              "le": "!gt", "ge": "ge", "l": "!ge", "s": "mi", "ns": "!mi", "o": "vs", "no": "!vs",
              "p": "pe", "np": "!pe"}


def register(name):
    """al, ah, ax, eax and rax are all ax."""
    if re.match(r"r\d", name):
        return name.rstrip("bwd")
    name = name[1:] if len(name) == 3 and name[0] in "er" else name
    return name[0] + "x" if re.match(r"[abcd][lhx]$", name) else name[:2]


def entry(code):
    """The registers when a function is called."""
    names = ["ax", "bx", "cx", "dx", "si", "di", "bp", *(f"r{n}" for n in range(8, 16))]
    return {name: ("arg", name, 0) for name in names} | {STACK: ("sp", 0)}, \
        {0: (code.word, ("exit",))}


def operand(text, size, following):
    """$1, %eax, or memory of @size bytes."""
    if text[0] == "$":
        number = int(text[1:], 0) % 2 ** 64
        bits = 64 if number >= 2 ** 32 else 32
        return ("imm", number - 2 ** bits if number >= 2 ** (bits - 1) else number)
    if text[0] == "%":
        return ("reg", register(text[1:]))
    offset, base, index, scale = MEMORY.match(text).groups()
    offset = int(offset or "0", 0)
    if base == "rip":
        return ("mem", None, following + offset, None, 1, size)
    return ("mem", base and register(base), offset, index and register(index), int(scale or 1),
            size)


def decode(text, _address, following, code):
    """The operations; None if the instruction is not known."""
    word = code.word
    name, _, rest = text.removeprefix("bnd ").removeprefix("notrack ").partition(" ")
    size = SIZES.get(name[-1], word)
    if NOTHING.match(name):
        return []
    if jump := re.match(r"(j\w+|callw?[lq]?)$", name):
        return decode_jump(jump[1], int(rest.split()[0], 16), word)
    if rest.startswith(("$", "%")) or "(" in rest or not rest:
        texts = [t.strip() for t in re.split(r",(?![^(]*\))", rest)] if rest else []
        return decode_plain(name, [operand(t, size, following) for t in texts], size, word)
    return None


def decode_jump(name, target, word):
    if name.startswith("call"):
        word = 8 if name.endswith("q") else word
        return [*push(word), ("call", target, ("mem", STACK, 0, None, 1, word))]
    if name == "jmp":
        return [("jump", target)]
    return [("branch", target, CONDITIONS.get(name[1:]))]


def push(size):
    return [("add", ("reg", STACK), ("reg", STACK), ("imm", -size))]


def pop(size):
    return [("add", ("reg", STACK), ("reg", STACK), ("imm", size))]


def decode_plain(name, ops, size, word):
    last = ops[-1] if ops else None
    word = 8 if name.endswith("q") else word
    top = ("mem", STACK, 0, None, 1, word)
    if name in ("push", "pushl", "pushq"):
        # The operand may be relative to the stack pointer as it was before.
        return [("move", ("reg", "pushed"), last), *push(word), ("move", top, ("reg", "pushed")),
                ("lose", ("reg", "pushed"))]
    if name in ("pop", "popl", "popq"):
        return [("move", last, top), *pop(word)]
    if name in ("ret", "retl", "retq") and not ops:
        return [("move", ("reg", "return"), top), *pop(word), ("return", ("reg", "return"))]
    if name in ("leave", "leavel", "leaveq"):
        return [("move", ("reg", STACK), ("reg", "bp")), ("move", ("reg", "bp"), top), *pop(word)]
    if name in ("syscall", "int"):
        return [("trap",), *(("lose", ("reg", r)) for r in
                             (["cx", "r11"] if name == "syscall" else []))]
    if name in ("rdtsc", "rdtscp"):
        return [("counter",), *(("lose", ("reg", r)) for r in
                                (["ax", "dx", "cx"] if name == "rdtscp" else ["ax", "dx"]))]
    if name in IMPLICIT:
        return [("lose", ("reg", r)) for r in IMPLICIT[name]]
    return decode_moving(name, ops, size) or decode_computing(name, ops, size)


def decode_moving(name, ops, size):
    """What leaves the flags alone."""
    last = ops[-1] if ops else None
    if re.match(r"mov(abs)?[lq]?$|movslq$", name):
        return [("move", last, ops[0])]
    if re.match(r"mov[bw]$", name):
        return [("narrow" if last[0] == "reg" and ops[0][0] != "mem" else "lose", last, ops[0])]
    if match := EXTEND.match(name):
        if ops[0][0] == "reg":
            return [("narrow", last, ops[0])]
        return [("lose", last, (*ops[0][:5], SIZES[match[1]]))]
    if re.match(r"lea[lqw]?$", name):
        return [("lea", last, ops[0])]
    if match := re.match(r"cmov(\w+?)[wlq]$", name):
        return [("move", ("reg", "source"), ops[0]), ("perhaps", CONDITIONS.get(match[1])),
                ("move", last, ("reg", "source"))]
    if match := re.match(r"set(\w+)$", name):
        return [("set", last, CONDITIONS.get(match[1]))]
    if name == "rdpid":
        return [("lose", last)]
    if re.match(r"xchg[wlq]?$", name):
        return [("swap", *ops)]
    return None


def decode_computing(name, ops, size):
    last = ops[-1] if ops else None
    base = name[:-1] if name[-1] in SIZES and name not in ("sub", "shl", "sal") else name
    if base == "cmp":
        return [("compare" if size > 2 else "check", last, ops[0])]
    if base == "test":
        return [("compare" if size > 2 else "check", last, ("imm", 0))] if ops[0] == last else \
            [("test", *ops)]
    if base == "bt":
        return [("test", *ops)]
    if base == "and" and size < 4:
        return [("mask", last, last, ops[0]), ("test", last, last)]
    if base in ("add", "sub", "xor") and size < 4:
        return [("lose", last, *ops), ("noflags",)]
    if base in ("sub", "xor"):
        return [("sub" if base == "sub" else "cancel", last, last, ops[0], True)]
    if base in ("add", "and"):
        return [("add" if base == "add" else "mask", last, last, ops[0]), ("result", last)]
    if base in ("shl", "sal") and len(ops) == 2 and ops[0][0] == "imm" and last[0] == "reg":
        return [("shift", last, last, ops[0][1]), ("noflags",)]
    if base in ("mul", "div", "idiv") or base == "imul" and len(ops) == 1:
        return [("lose", ("reg", "ax"), last), ("lose", ("reg", "dx")), ("noflags",)]
    if LAST.match(base):
        lost = ops[-2:] if base == "mulx" else [last]
        return [("lose", None, *ops), *(("lose", o) for o in lost), ("noflags",)]
    return None
