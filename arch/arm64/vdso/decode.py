# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the instructions of arm64 do, in the operations of lib/vdso/machine.py.
They come as "ldr w0, [x2, #4]"."""
import re

RESULT, STACK = "x0", "sp"
# What a function's caller may use after the return.
SAVED = [f"x{n}" for n in range(19, 30)]
KEPT = ["x0", "x1", "x30", "sp", *SAVED]
NOTHING = re.compile(r"(nop|hint|bti|pac\w+|aut\w+|xpac\w+|isb|dmb|dsb|yield|prfu?m)\b")
# The first operand takes a result that is neither an address nor looked at for equality.
FIRST = re.compile(r"(movk|mvn|adcs?|sbcs?|ngcs?|negs?|orr|orn|eon|bics?|ls[lr]v?|asrv?|rorv?|extr|"
                   r"[us]?m(add|sub)l?|[us]mulh|[us]?mn?(ul|eg)l?|[us]div|[us]?bfx|bfi|bfxil|"
                   r"bfc|bfm|"
                   r"[us]?xt[bhw]|cls|clz|rbit|rev\w*|mrs)$")
SELECT = re.compile(r"cs(inc|inv|neg)$|c(inc|inv|neg)$")
LOAD = re.compile(r"ld(a|ap|apu|u|t)?r(b|h|sb|sh|sw)?$|ldp(sw)?$")
STORE = re.compile(r"st(l|u|t)?r(b|h)?$|stp$")
MEMORY = re.compile(r"\[(\w+)(?:, (?:#(-?\w+)|(\w+)(?:, \w+(?: #(\d+))?)?))?\](!)?(?:, #(-?\w+))?$")
CONDITIONS = {"eq": "eq", "ne": "!eq", "hi": "hi", "ls": "!hi", "hs": "hs", "lo": "!hs", "cs": "hs",
              "cc": "!hs", "gt": "gt", "le": "!gt", "ge": "ge", "lt": "!ge", "mi": "mi",
              "pl": "!mi", "vs": "vs", "vc": "!vs"}


def entry(_code):
    """The registers when a function is called."""
    names = [f"x{n}" for n in range(30)]
    return {n: ("arg", n, 0) for n in names} | {STACK: ("sp", 0), "x30": ("exit",)}, {}


def operand(text):
    if text in ("wzr", "xzr"):
        return ("imm", 0)
    if text[0] == "#":
        return ("imm", int(text[1:], 0))
    return ("reg", "x" + text[1:] if text[0] == "w" else text)


def result(text):
    return ("reg", "zr") if text in ("wzr", "xzr") else operand(text)


def decode(text, address, _following, _code):
    """The operations; None if the instruction is not known."""
    name, _, rest = text.partition(" ")
    if NOTHING.match(name):
        return []
    if name == "svc":
        return [("trap",)]
    if name in ("ret", "retaa", "retab"):
        return [("return", operand(rest or "x30"))]
    if literal := re.match(r"ldr ([wx]\d+), 0x(\w+)", text):
        return [("move", operand(literal[1]), absolute(signed(literal[2]), literal[1]))]
    if name[:2] in ("ld", "st"):
        return decode_access(name, rest)
    texts = rest.split(", ")
    return decode_jump(name, texts) or decode_address(name, texts, address) or \
        decode_flags(name, texts) or decode_sum(name, texts) or decode_other(name, texts, text)


def decode_jump(name, texts):
    if not re.match(r"(b|bl|bc?\.\w+|cbn?z|tbn?z)$", name):
        return None
    target = int(texts[-1].split()[0], 16)
    if name == "bl":
        return [("call", target, ("reg", "x30"))]
    if name == "b":
        return [("jump", target)]
    if name in ("cbz", "cbnz"):
        return [("branch", target, "eq" if name == "cbz" else "!eq", operand(texts[0]), ("imm", 0))]
    if name in ("tbz", "tbnz"):
        bit = 1 << int(texts[1][1:], 0)
        return [("test", operand(texts[0]), ("imm", bit)),
                ("branch", target, "eq" if name == "tbz" else "!eq")]
    return [("branch", target, CONDITIONS.get(name.partition(".")[2]))]


def decode_address(name, texts, address):
    if name == "adr":
        return [("lea", result(texts[0]), absolute(address + int(texts[1][1:], 0)))]
    if name == "adrp":
        return [("lea", result(texts[0]), absolute(signed(texts[1].split()[0])))]
    return None


def signed(text):
    """Pages are in front of the image, below 0."""
    address = int(text, 16)
    return address - 2 ** 64 if address >> 63 else address


def absolute(address, register="x"):
    """@register: which is loaded from there, by its name."""
    return ("mem", None, address, None, 1, 4 if register[0] == "w" else 8)


def shifted(texts):
    """A last operand that may be shifted or extended: operations before, and what it is then."""
    if len(texts) < 2:
        return [], operand(texts[0])
    amount = int((re.search(r"#(\d+)", texts[1]) or ["", "0"])[1])
    temporary = ("reg", "shifted")
    if texts[1].startswith(("lsl", "uxtw", "sxtw", "uxtx", "sxtx")):
        return [("move", temporary, operand(texts[0])), ("shift", temporary, temporary, amount)], \
            temporary
    return [("lose", temporary, operand(texts[0]))], temporary


def decode_sum(name, texts):
    """add, sub, and, eor: what addresses and flags are made of."""
    kind = {"add": "add", "sub": "sub", "and": "mask", "eor": "cancel"}.get(name.removesuffix("s"))
    if not kind:
        return None
    before, last = shifted(texts[2:])
    first = operand(texts[1])
    if name == "subs":
        return [*before, ("sub", result(texts[0]), first, last, True)]
    flags = [("result", result(texts[0]))] if name.endswith("s") else []
    return [*before, (kind, result(texts[0]), first, last), *flags]


def decode_flags(name, texts):
    if name == "cmp":
        before, last = shifted(texts[1:])
        return [*before, ("compare", operand(texts[0]), last)]
    if name == "cmn" and texts[1][0] == "#":
        return [("compare", operand(texts[0]), ("imm", -int(texts[1][1:], 0)))]
    if name == "ccmp":
        # If it does not compare, the flags are what the instruction says.
        return [("compare", operand(texts[0]), operand(texts[1])),
                ("test", operand(texts[0]), operand(texts[1]))]
    if name in ("tst", "cmn", "ccmn"):
        return [("test", *map(operand, texts[:2]))]
    return None


def decode_other(name, texts, text):
    first = result(texts[0])
    if name in ("mov", "sxtw", "uxtw"):
        return [("move", first, operand(texts[1]))]
    if name in ("ubfiz", "sbfiz") or name == "lsl" and texts[-1][0] == "#":
        return [("shift", first, operand(texts[1]), int(texts[2][1:], 0))]
    width = 32 if texts[0][0] == "w" else 64
    if name == "clz":
        return [("leading", first, operand(texts[1]), width)]
    if name == "lsr" and texts[-1][0] == "#":
        return [("right", first, operand(texts[1]), int(texts[2][1:], 0), width)]
    if name == "csel":
        return [("move", ("reg", "no"), operand(texts[2])),
                ("move", ("reg", "yes"), operand(texts[1])),
                ("move", first, ("reg", "no")),
                ("perhaps", CONDITIONS.get(texts[3])), ("move", first, ("reg", "yes"))]
    if name == "csetm":
        return [("move", first, ("imm", 0)), ("perhaps", CONDITIONS.get(texts[1])),
                ("move", first, ("imm", -1))]
    if name == "cset":
        return [("set", first, CONDITIONS.get(texts[1]))]
    if name == "mrs" and re.match(r"mrs \w+, (CNTVCT_EL0|CNTVCTSS_EL0|S3_3_C14_C0_6)$", text, re.I):
        return [("counter", first[1])]
    if SELECT.match(name) or FIRST.match(name):
        return [("lose", first, *(operand(t) for t in texts[1:] if t[0] in "wx")),
                *([("noflags",)] if name in ("adcs", "sbcs", "ngcs", "negs", "bics") else [])]
    return None


def decode_access(name, rest):
    """Loads and stores, of one register or two, with the address changed before or after."""
    texts, _, place = rest.partition(", [")
    match = MEMORY.match("[" + place)
    registers = texts.split(", ")
    if not match or not (LOAD.match(name) or STORE.match(name)):
        return None
    base, offset, index, scale, early, late = match.groups()
    size = {"b": 1, "h": 2}.get(name[-1]) or (4 if registers[0][0] == "w" or name[-1] == "w" else 8)
    base, offset, late = operand(base)[1], int(offset or "0", 0), int(late or "0", 0)
    change = [("add", ("reg", base), ("reg", base), ("imm", offset if early else late))]
    index = index and operand(index)[1]
    places = [("mem", base, (0 if early else offset) + size * n, index, 1 << int(scale or 0), size)
              for n in range(len(registers))]
    narrow = name[-1] in "bhw"
    before = []
    if not name.startswith("st") and len(registers) > 1 and operand(registers[0]) == ("reg", base):
        # The second load goes by the address as it was.
        before = [("move", ("reg", "base"), ("reg", base))]
        places[1] = ("mem", "base", *places[1][2:])
    if name.startswith("st"):
        moves = [("lose" if narrow else "move", place, operand(r))
                 for place, r in zip(places, registers)]
    else:
        moves = [("lose" if narrow else "move", result(r), place)
                 for place, r in zip(places, registers)]
    return [*(change if early else []), *before, *moves, *(change if late else [])]
