# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the instructions of 32-bit ARM do, ARM and Thumb-2 alike, in the operations of
lib/vdso/machine.py. They come as "ldreq r0, [r2, #4]"."""
import re

RESULT, STACK = "r0", "sp"
# What a function's caller may use after the return.
SAVED = [f"r{n}" for n in range(4, 12)]
KEPT = ["r0", "r1", "sp", *SAVED]
CONDITION = r"(eq|ne|[hc]s|lo|cc|mi|pl|v[sc]|hi|ls|ge|lt|gt|le)?"
NOTHING = re.compile(r"(nop|hint|yield|isb|dmb|dsb|it[te]*|pld|csdb)\b")
# Instructions that may set the flags, and those that may not.
FLAGGED = ("add", "sub", "and", "eor", "mov", "lsl", "adc", "sbc", "rsb", "rsc", "orr", "orn",
           "bic", "mvn", "lsr", "asr", "ror", "rrx", "neg", "mul", "mla", "umull", "umlal",
           "smull", "smlal")
PLAIN = ("cmp", "cmn", "tst", "teq", "movw", "movt", "mls", "udiv", "sdiv", "clz", "rev", "rbit",
         "rev16", "ubfx", "sbfx", "bfi", "bfc", "uxtb", "uxth", "sxtb", "sxth", "svc", "mrrc",
         "ldr", "ldrb", "ldrh", "ldrsb", "ldrsh", "ldrd", "lda", "str", "strb", "strh", "strd",
         "ldm", "ldmib", "ldmda", "ldmdb", "stm", "stmib", "stmda", "stmdb", "push", "pop",
         "b", "bl", "bx", "adr", "addw", "subw", "umaal")
NAMES = sorted((*FLAGGED, *PLAIN), key=len, reverse=True)
MEMORY = re.compile(r"\[(\w+)(?:, (?:#(-?\w+)|(\w+)(?:, lsl #(\d+))?))?\](!)?(?:, #(-?\w+))?$")
CONDITIONS = {"eq": "eq", "ne": "!eq", "hi": "hi", "ls": "!hi", "hs": "hs", "lo": "!hs", "cs": "hs",
              "cc": "!hs", "gt": "gt", "le": "!gt", "ge": "ge", "lt": "!ge", "mi": "mi",
              "pl": "!mi", "vs": "vs", "vc": "!vs"}


def entry(_code):
    """The registers when a function is called."""
    names = [f"r{n}" for n in range(13)]
    return {n: ("arg", n, 0) for n in names} | {STACK: ("sp", 0), "lr": ("exit",)}, {}


def split(mnemonic):
    """Name, whether it sets the flags, condition."""
    mnemonic = re.sub(r"\.[nw]$", "", mnemonic)
    for name in NAMES:
        match = re.match(name + ("(s?)" if name in FLAGGED else "()") + CONDITION + "$", mnemonic)
        if match:
            return name, bool(match[1]), match[2]
    return None, False, None


def absolute(address, size=4):
    return ("mem", None, address, None, 1, size)


def operand(text):
    if text[0] == "#":
        number = int(text[1:], 0)
        return ("imm", number - 2 ** 32 if number >= 2 ** 31 else number)
    return ("reg", {"r12": "r12", "r13": "sp", "r14": "lr"}.get(text, text))


def decode(text, address, following, code):
    """The operations; None if the instruction is not known."""
    mnemonic, _, rest = re.sub(r" @.*", "", text).partition(" ")
    if NOTHING.match(mnemonic):
        return []
    if cb := re.match(r"(cbn?z) (\w+), 0x(\w+)", text):
        relation = "eq" if cb[1] == "cbz" else "!eq"
        return [("branch", int(cb[3], 16), relation, operand(cb[2]), ("imm", 0))]
    name, sets, condition = split(mnemonic)
    if not name:
        return None
    if name in ("b", "bl") and rest:
        return decode_branch(name, int(rest.split()[0], 16), condition)
    # Two or one instruction further on, and for loads a multiple of 4.
    here = address + 4 if code.thumb else address + 8
    operations = decode_plain(name, sets, rest, here)
    if operations and condition:
        return [("perhaps", CONDITIONS.get(condition)), *operations]
    return operations


def decode_branch(name, target, condition):
    if name == "bl":
        call = ("call", target, ("reg", "lr"))
        return [("perhaps", CONDITIONS.get(condition)), call] if condition else [call]
    return [("branch", target, CONDITIONS.get(condition))] if condition else [("jump", target)]


def decode_plain(name, sets, rest, here):
    if name == "svc":
        return [("trap",)]
    if name == "bx":
        return [("return", operand(rest))]
    if name in ("push", "pop") or name[:3] in ("ldm", "stm"):
        return decode_many(name, rest)
    if name[:2] in ("ld", "st"):
        return decode_access(name, rest, here & ~3)
    texts = rest.split(", ")
    if name == "mrrc":
        return [("counter", *(operand(t)[1] for t in texts[2:4]))]
    if texts[0] == "pc":
        return None
    before = []
    if "pc" in texts[1:]:
        before = [("lea", ("reg", "pc"), absolute(here))]
    operations = decode_flags(name, texts) or decode_sum(name, sets, texts) or \
        decode_other(name, sets, texts)
    return operations and [*before, *operations]


def shifted(texts):
    """A last operand that may be shifted: operations before, and what it is then."""
    temporary = ("reg", "shifted")
    if len(texts) < 2:
        return [], operand(texts[0])
    if match := re.match(r"lsl #(\d+)$", texts[1]):
        return [("shift", temporary, operand(texts[0]), int(match[1]))], temporary
    return [("lose", temporary, operand(texts[0]))], temporary


def decode_flags(name, texts):
    if name in ("cmp", "teq"):
        before, last = shifted(texts[1:])
        return [*before, ("compare", operand(texts[0]), last)]
    if name == "cmn" and texts[1][0] == "#":
        return [("compare", operand(texts[0]), ("imm", -operand(texts[1])[1]))]
    if name in ("cmn", "tst"):
        return [("test", *map(operand, texts[:2]))]
    return None


def decode_sum(name, sets, texts):
    """What addresses and flags are made of."""
    kind = {"add": "add", "addw": "add", "sub": "sub", "subw": "sub", "and": "mask",
            "eor": "cancel"}.get(name)
    if not kind:
        return None
    if len(texts) == 2 or re.match("ls|as|ro|rr", texts[2]):
        texts = [texts[0], *texts]
    before, last = shifted(texts[2:])
    flags = (True,) if sets and kind in ("sub", "cancel") else ()
    operations = [*before, (kind, operand(texts[0]), operand(texts[1]), last, *flags)]
    return [*operations, ("result", operand(texts[0]))] if sets and not flags else operations


def decode_other(name, sets, texts):
    first, flags = operand(texts[0]), [("result", operand(texts[0]))] if sets else []
    if name in ("mov", "movw") and len(texts) == 2:
        return [("move", first, operand(texts[1])),
                *([("compare", first, ("imm", 0))] if sets else [])]
    if name == "mvn" and texts[1][0] == "#" and not sets:
        return [("move", first, ("imm", ~operand(texts[1])[1]))]
    if name == "bic" and texts[-1][0] == "#":
        return [("mask", first, operand(texts[-2]), ("imm", ~operand(texts[-1])[1])), *flags]
    if name == "movt":
        return [("high", first, first, operand(texts[1])[1])]
    if name == "lsl" and texts[-1][0] == "#":
        return [("shift", first, operand(texts[-2]), int(texts[-1][1:], 0)), *flags]
    if name == "clz":
        return [("leading", first, operand(texts[1]), 32)]
    if name == "lsr" and texts[-1][0] == "#":
        return [("right", first, operand(texts[-2]), int(texts[-1][1:], 0), 32), *flags]
    sources = [operand(t) for t in texts if re.match(r"r\d|lr|sp", t)]
    if name in ("umull", "smull", "umlal", "smlal", "umaal"):
        return [("lose", first, *sources), ("lose", operand(texts[1])), *flags]
    return [("lose", first, *sources[1:]), *flags]


def decode_many(name, rest):
    """Loads and stores of several registers, one after the other."""
    base, _, registers = rest.partition("{")
    registers = registers.rstrip("}").split(", ")
    load, change = name in ("pop",) or name.startswith("ldm"), base.endswith("!, ") or not base
    base = ("reg", "sp") if not base else operand(base.rstrip("!, "))
    kind = {"push": "db", "pop": ""}.get(name, name[3:])
    total = 4 * len(registers)
    start = {"": 0, "ib": 4, "da": 4 - total, "db": -total}[kind]
    after = ("imm", -total if kind in ("da", "db") else total)
    moves = []
    for number, register in enumerate(registers):
        place = ("mem", base[1], start + 4 * number, None, 1, 4)
        moves.append(("move", operand(register), place) if load else
                     ("move", place, operand(register)))
    if load and base in [move[1] for move in moves]:
        return with_base(base, moves) if not change else None
    update = [("add", base, base, after)] if change else []
    if not load:
        # What is stored must not lie below the stack pointer, even for a moment.
        for number, (kind, place, register) in enumerate(moves):
            moves[number] = (kind, (*place[:2], place[2] - (after[1] if change else 0), *place[3:]),
                             register)
        return [*update, *moves]
    return [*moves, *update, *([("return", ("reg", "pc"))] if "pc" in registers else [])]


def with_base(base, moves):
    """Loads into the very register that holds the address: they go by what it was."""
    copy = ("reg", "base")
    return [("move", copy, base), *((kind, register, (place[0], "base", *place[2:]))
                                    for kind, register, place in moves)]


def decode_access(name, rest, here):
    """Loads and stores of one register or two, with the address changed before or after."""
    texts, _, place = rest.partition(", [")
    match = MEMORY.match("[" + place)
    if not match:
        return None
    base, offset, index, scale, early, late = match.groups()
    registers = [operand(t) for t in texts.split(", ")]
    size = {"b": 1, "h": 2}.get(name[-1], 4)
    offset, late = int(offset or "0", 0), int(late or "0", 0)
    if base == "pc":
        return [("lea", ("reg", "pc"), absolute(here)),
                ("move", registers[0], ("mem", "pc", offset, index, 1 << int(scale or 0), 4))] \
            if name == "ldr" else None
    base = operand(base)
    change = [("add", base, base, ("imm", offset if early else late))]
    places = [("mem", base[1], (0 if early else offset) + 4 * n, index and operand(index)[1],
               1 << int(scale or 0), size) for n in range(len(registers))]
    kind = "lose" if size < 4 else "move"
    moves = [(kind, p, r) if name.startswith("st") else (kind, r, p)
             for p, r in zip(places, registers)]
    if name == "ldrd" and base == registers[0] and not early and not late:
        return with_base(base, moves)
    done = [*(change if early else []), *moves, *(change if late else [])]
    return [*done, ("return", ("reg", "pc"))] if ("reg", "pc") in registers else done
