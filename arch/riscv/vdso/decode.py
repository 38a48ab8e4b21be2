# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""What the instructions of riscv do, in the operations of lib/vdso/machine.py.
They come as "lw a0, 4(a1)"; compressed ones look like the others."""
import re

RESULT, STACK = "a0", "sp"
# What a function's caller may use after the return.
SAVED = [f"s{n}" for n in range(12)]
KEPT = ["a0", "a1", "sp", *SAVED]
NOTHING = re.compile(r"(nop|fence(\.i|\.tso)?|pause)$")
LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4, "lwu": 4, "ld": 8}
STORES = {"sb": 1, "sh": 2, "sw": 4, "sd": 8}
# The first operand takes a result that is not an address.
FIRST = re.compile(r"(mul(w|h|hu|hsu)?|(div|rem)u?w?|(sll|srl|sra)(i?w?)|slt(iu?|u|z)?|sgtz|negw?|"
                   r"not|ori?|xori|orn|andn|xnor|addi?w|subw|sext\.[bh]|zext\.[bh]|minu?|maxu?|clzw?|"
                   r"ctzw?|rev8|ro[lr]i?w?|b(set|clr|ext|inv)i?|czero\.\w+)$")
BRANCHES = {"beq": "eq", "bne": "!eq", "bltu": "!hs", "bgeu": "hs", "blt": "!ge", "bge": "ge",
            "bgtu": "hi", "bleu": "!hi", "bgt": "gt", "ble": "!gt"}


def entry(_code):
    """The registers when a function is called."""
    names = [*SAVED, *(f"a{n}" for n in range(8)), *(f"t{n}" for n in range(7))]
    return {n: ("arg", n, 0) for n in names} | {STACK: ("sp", 0), "ra": ("exit",)}, {}


def operand(text):
    if text == "zero":
        return ("imm", 0)
    return ("imm", int(text, 0)) if re.fullmatch(r"-?(0x)?\d[0-9a-f]*", text) else ("reg", text)


def place(text, size):
    """4(a1), or (a1) as atomic instructions have it."""
    offset, base = re.match(r"(-?\w*)\((\w+)\)$", text).groups()
    return ("mem", base, int(offset or "0", 0), None, 1, size)


def absolute(address):
    return ("mem", None, address, None, 1, 8)


def decode(text, address, _following, code):
    """The operations; None if the instruction is not known."""
    name, _, rest = text.partition(" ")
    texts = re.sub(r" <.*", "", rest).split(", ")
    if NOTHING.match(name):
        return []
    if name == "ecall":
        return [("trap",)]
    if name in LOADS or name in STORES:
        return decode_access(name, texts)
    return decode_jump(name, texts, address, code) or decode_address(name, texts, address) or \
        decode_other(name, texts)


def decode_access(name, texts):
    register = operand(texts[0])
    if name in STORES:
        return [("move" if STORES[name] > 2 else "lose", place(texts[1], STORES[name]), register)]
    target = ("reg", "nowhere") if register[0] == "imm" else register
    return [("move" if LOADS[name] > 2 else "lose", target, place(texts[1], LOADS[name]))]


def decode_jump(name, texts, address, code):
    if name == "ret":
        return [("return", ("reg", "ra"))]
    if name in ("jr", "jalr"):
        return decode_far(name, texts[-1], address, code)
    if name == "j":
        return [("jump", int(texts[0], 16))]
    if name == "jal":
        return [("call", int(texts[-1], 16), ("reg", "ra"))]
    short = name.removesuffix("z")
    if short in BRANCHES:
        second = operand(texts[1]) if short == name else ("imm", 0)
        return [("branch", int(texts[-1], 16), BRANCHES[short], operand(texts[0]), second)]
    return None


def decode_far(name, text, address, code):
    """A jump or a call over a long distance: the second half of a pair."""
    near = re.match(r"(-?\w+)\((\w+)\)$", text)
    upper = near and re.match(rf"auipc {near[2]}, (\w+)$", code.text.get(address - 4, ""))
    if not upper:
        return None
    target = address - 4 + page(upper[1]) + int(near[1], 0)
    return [("jump", target)] if name == "jr" else [("call", target, ("reg", "ra"))]


def page(text):
    """The upper 20 of 32 bits with a sign."""
    upper = int(text, 0) << 12
    return upper - 2 ** 32 if upper >> 31 else upper


def decode_address(name, texts, address):
    """What addresses are made of."""
    first = operand(texts[0])
    if name in ("auipc", "lui"):
        upper = page(texts[1])
        return [("lea", first, absolute(address + upper))] if name == "auipc" else \
            [("move", first, ("imm", upper))]
    if name == "sext.w":
        return [("word", first, operand(texts[1]))]
    if name in ("mv", "li", "zext.w"):
        return [("move", first, operand(texts[1]))]
    if name in ("add", "addi", "sub", "and", "andi", "xor", "add.uw"):
        kind = {"and": "mask", "andi": "mask", "xor": "cancel", "sub": "sub"}.get(name, "add")
        return [(kind, first, operand(texts[1]), operand(texts[2]))]
    if name in ("slli", "slli.uw"):
        return [("shift", first, operand(texts[1]), int(texts[2], 0))]
    if name == "srli":
        return [("right", first, operand(texts[1]), int(texts[2], 0), 64)]
    if shifted := re.match(r"sh([123])add(\.uw)?$", name):
        return [("shift", ("reg", "shifted"), operand(texts[1]), int(shifted[1])),
                ("add", first, ("reg", "shifted"), operand(texts[2]))]
    return None


def decode_other(name, texts):
    first = operand(texts[0])
    if name in ("seqz", "snez"):
        return [("compare", operand(texts[1]), ("imm", 0)),
                ("set", first, "eq" if name == "seqz" else "!eq")]
    if name == "rdtime":
        return [("counter", texts[0])]
    if FIRST.match(name):
        return [("lose", first, *(operand(t) for t in texts[1:] if operand(t)[0] == "reg"))]
    return None
