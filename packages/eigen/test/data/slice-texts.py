"""Writes slice-texts.json: what NumPy's basic indexing makes of many index texts.

    pip install numpy==2.4.6
    python slice-texts.py > slice-texts.json

Each case is [shape, text, verdict] over np.arange(n, dtype=int32).reshape(shape); the verdict is [shape, strides in elements, flat
values], "OUT_OF_RANGE" for an integer outside its dimension, "INVALID_ARGUMENT" for everything else that NumPy or Python refuses, and for
what is no basic indexing: lists, masks, expressions, brackets.
Strides of dimensions below 2 mean nothing and are written as 0.
"""
import ast
import itertools
import json
import random
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
random.seed(7)
SHAPES = [(), (5,), (3, 4), (2, 3, 4), (0, 3), (1, 6, 1)]


def is_basic(text):
    """Whether the text holds nothing but slices, ints, signs, None, newaxis and an ellipsis, and no brackets."""
    for node in ast.walk(ast.parse("a[" + text + "]").body[0].value.slice):
        if isinstance(node, ast.Constant):
            if node.value not in (None, ...) and type(node.value) is not int:
                return False
        elif isinstance(node, ast.Name):
            if node.id not in ("newaxis", "np", "numpy"):
                return False
        elif not isinstance(node, (ast.Tuple, ast.Slice, ast.UnaryOp, ast.USub, ast.UAdd, ast.Attribute, ast.Load)):
            return False
    return "(" not in text and "np ." not in text


def verdict(shape, text):
    a = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    try:
        if not is_basic(text):
            return "INVALID_ARGUMENT"
        r = eval("a[" + text + "]", {"a": a, "np": np, "numpy": np, "newaxis": None})
    except IndexError as e:
        # Of a basic text, only an int beyond 64 bits is "no valid index".
        outside = "out of bounds" in str(e) or "only integers" in str(e)
        return "OUT_OF_RANGE" if outside else "INVALID_ARGUMENT"
    except Exception:
        return "INVALID_ARGUMENT"
    r = np.asarray(r)
    if r.dtype != np.int32:
        return "INVALID_ARGUMENT"
    strides = [0 if n < 2 or r.size == 0 else s // 4 for n, s in zip(r.shape, r.strides)]
    return [list(r.shape), strides, r.ravel().tolist()]


def spelled():
    yield from "|0|-1|00|01|1_0|1__0|_1|1_|+1|--1|-+1|- 1|-|+|1.0|1.|.5|1e1|1j|True|a|'1'|[1]|(1)|1:2:3:4|1 2|1;2|:,|,|,:|,,|1,,2|1,|1 ,".split("|")
    yield from "...|....|..|. ..|.|...,...|...,|...:|None|None,|None:None|None:2:None|:None|newaxis|np.newaxis|numpy.newaxis|np .newaxis|nonewaxis|newaxis1|None1".split("|")
    yield from ["None" + ",None" * 2, "-None", "1None", "None 1", "0None", "...None", "None...", " 1 : 3 ", "\t1\n:\n3", " , ", "  "]
    for n in ("4", "5", "-5", "-6", "2147483648", "9007199254740993", "-9007199254740993", "123456789012345678901234567890"):
        yield from (n, n + ":", ":" + n, "::" + n, n + "::-1", ":" + n + ":-2")
    yield from "::0|0:0|::-0|1:1|3:1|3:1:-1|1:3:-1|-1:0:-1|-1::-1|:-9:-1|9::-1|-2:|:-2|::2|1::2|::-2|4:0:-3|:::|::,::,::,::|-1,-1,-1,-1".split("|")


def part(low, high):
    return "" if random.random() < 0.4 else str(random.randint(low, high))


def item():
    kind = random.random()
    if kind < 0.25:
        return str(random.randint(-5, 4))
    if kind < 0.4:
        return random.choice(["None", "newaxis", "..."])
    if kind < 0.6:
        return part(-6, 6) + ":" + part(-6, 6)
    return part(-6, 6) + ":" + part(-6, 6) + ":" + random.choice(["", "1", "2", "3", "-1", "-2", "-3", "0"])


def text():
    joiner = random.choice([",", ", ", " , "])
    whole = joiner.join(item() for _ in range(random.randint(1, 4)))
    if random.random() < 0.15:
        at = random.randrange(len(whole) + 1)
        whole = whole[:at] + random.choice(": ,-.0N+") + whole[at + random.randint(0, 1):]
    return whole


cases = [(shape, t) for shape, t in itertools.product(SHAPES, dict.fromkeys(spelled())) if len(shape) in (1, 3) or random.random() < 0.2]
cases += [(random.choice(SHAPES), text()) for _ in range(900)]
lines = [json.dumps([list(shape), t, verdict(shape, t)], separators=(",", ":")) for shape, t in dict.fromkeys(cases)]
sys.stdout.write("[\n" + ",\n".join(lines) + "\n]\n")
