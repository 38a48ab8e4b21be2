# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the instructions of riscv64 do, in the operations of lib/vdso/check-ordering.
They come as "lw a6, 4(a4)"."""
import re

RESULT, STACK = "a0", "sp"
# What a function's caller may use after the return.
SAVED = [f"s{n}" for n in range(12)]
KEPT = ["a0", "ra", "sp", *SAVED]
NOTHING = ("fence", "nop")
# The relation of the first operand to the second, or to 0.
RELATIONS = {"eq": "eq", "ne": "!eq", "ltu": "!hs", "geu": "hs", "gtu": "hi", "leu": "!hi",
             "lt": "!ge", "ge": "ge", "gt": "gt", "le": "!gt"}
BRANCH = re.compile(r"b(eq|ne|ltu|geu|gtu|leu|lt|ge|gt|le)z? (\w+), (?:(\w+), )?0x([0-9a-f]+)")
SET = re.compile(r"s(eq|ne|ltu|gtu|lt|gt)i?(u?)z? (\w+), (\w+)(?:, (-?\w+))?$")
ACCESS = re.compile(r"([ls])([bhwd])u? (\w+), (-?\d+)\((\w+)\)$")
FAR = re.compile(r"(jr|jalr) (-?\d+)\((\w+)\)$")
# What addresses and comparisons are made of; the others' results are neither.
SUMS = {"add": "add", "addi": "add", "sub": "sub", "and": "mask", "andi": "mask", "xor": "cancel"}
OTHER = re.compile(r"(addi?w|subw|negw?|not|xori|ori?|s[rl]lw?|s[lr]liw|sra(i?w?)|mul(h|hu|hsu|w)?|"
                   r"(div|rem)u?w?|zext\.b)$")
SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}


def entry(_code):
    """The registers when a function is called."""
    names = [*(f"a{n}" for n in range(8)), *(f"t{n}" for n in range(7)), *SAVED]
    return {n: ("arg", n, 0) for n in names} | {STACK: ("sp", 0), "ra": ("exit",)}, {}


def operand(text):
    if text in ("zero", None):
        return ("imm", 0)
    return ("imm", int(text, 0)) if text[0] in "-0123456789" else ("reg", text)


def result(text):
    return ("reg", text)


def decode(text, address, _following, code):
    """The operations; None if the instruction is not known."""
    name, _, rest = text.partition(" ")
    if name in NOTHING:
        return []
    if name == "ecall":
        return [("trap",)]
    if name == "ret":
        return [("return", ("reg", "ra"))]
    if name == "rdtime":
        return [("counter", rest)]
    return decode_jump(text, address, code) or decode_access(text) or decode_set(text) or \
        decode_other(name, rest.split(", "), address)


def upper(text):
    """What LUI and AUIPC put into a register: the upper 20 bits of 32, signed."""
    number = int(text, 0) << 12
    return number - 2 ** 32 if number >> 31 else number


def decode_jump(text, address, code):
    if match := BRANCH.match(text):
        relation, first, second, target = match.groups()
        return [("branch", int(target, 16), RELATIONS[relation], operand(first), operand(second))]
    if match := re.match(r"(j|jal) 0x([0-9a-f]+)", text):
        return jump(match[1], int(match[2], 16))
    # The second half of a jump over any distance: the first is the instruction before.
    match = FAR.match(text)
    first = re.match(r"auipc (\w+), (\w+)$", code.text.get(address - 4, ""))
    if match and first and first[1] == match[3]:
        return jump(match[1], address - 4 + upper(first[2]) + int(match[2]))
    return None


def jump(name, target):
    return [("call", target, ("reg", "ra"))] if "al" in name else [("jump", target)]


def decode_access(text):
    match = ACCESS.match(text)
    if not match:
        return None
    way, size, register, offset, base = match.groups()
    place = ("mem", base, int(offset), None, 1, SIZES[size])
    kind = "lose" if size in "bh" else "move"
    if way == "s":
        return [(kind, place, operand(register))]
    return [(kind, result(register), place)]


def decode_set(text):
    """1 or 0, as a comparison says."""
    match = SET.match(text)
    if not match:
        return None
    relation, unsigned, dst, first, second = match.groups()
    return [("compare", operand(first), operand(second)),
            ("set", result(dst), RELATIONS[relation + unsigned])]


def decode_other(name, texts, address):
    first = result(texts[0])
    if name in ("mv", "li", "sext.w"):
        return [("move", first, operand(texts[1]))]
    if name == "lui":
        return [("move", first, ("imm", upper(texts[1])))]
    if name == "auipc":
        return [("lea", first, ("mem", None, address + upper(texts[1]), None, 1, 8))]
    if name in SUMS:
        return [(SUMS[name], first, *map(operand, texts[1:]))]
    if name == "slli":
        return [("shift", first, operand(texts[1]), int(texts[2]))]
    if name in ("srli", "srliw"):
        return [("right", first, operand(texts[1]), int(texts[2]), 64 if name == "srli" else 32)]
    if OTHER.match(name):
        return [("lose", first, *map(operand, texts[1:]))]
    return None
