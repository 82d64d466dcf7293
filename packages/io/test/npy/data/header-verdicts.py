"""Writes header-verdicts.json: NumPy's verdicts on many spellings of an .npy header.

    pip install numpy==2.4.6
    python header-verdicts.py > header-verdicts.json

Each case is [version, header text, verdict]; the verdict is null where NumPy refuses, else [dtype.str, shape].
Each text is the header of a complete file with 64 zero bytes of data.
"""
import io
import json
import struct
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")


def verdict(version, text):
    header = text.encode("utf8" if version == 3 else "latin1")
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    try:
        array = np.load(io.BytesIO(b"\x93NUMPY" + bytes([version, 0]) + length + header + bytes(64)))
    except Exception:
        return None
    return [array.dtype.str, list(array.shape)]


def header(descr="'<f4'", order="False", shape="(2,)"):
    return "{'descr': %s, 'fortran_order': %s, 'shape': %s}" % (descr, order, shape)


def shapes():
    yield from "() (2) 2 [2] (2,) (2,3) (2,3,) (2,,) (,) (,2) ((2),) ((2,)) (+2,) (-2,) (-0,) (--2,) (+-2,) (-(2),) (+(2),) (-(-2),)".split(" ")
    yield from "(2 L,)|(2L,)|(2LL,)|(2L L,)|(2l,)|(0x2L,)|(0b10L,)|(2\nL,)|(2\tL,)|(2L3,)|(L2,)|(2L,3L)|( 2 , )|(2 3)|(2;)".split("|")
    yield from "(0x2,) (0X2,) (0o2,) (0O2,) (0b10,) (0B1,) (00,) (02,) (0_0,) (0_2,) (1_0,) (1__0,) (1_,) (_1,) (0x_2,) (0x,) (0xg,) (0b2,) (0o8,) (0x2g,)".split(" ")
    yield from "(2.0,) (2.,) (.5,) (1e1,) (2j,) (2+0j,) (True,) (False,) (None,) ('2',) (b'2',) ((),) ([],) ({},) (2,True) (1+1,) (2if 1else 3,) (*(2,),) (...,)".split(" ")
    yield "(" + "1," * 64 + ")"
    yield "(" + "1," * 65 + ")"
    for depth in (1, 50, 198, 199):
        yield "(" + "(" * depth + "2" + ")" * depth + ",)"
    yield "(" + "0" * 4301 + ",)"
    yield "(0x" + "0" * 5000 + "2,)"
    for n in (2**31, 2**32, 2**53 - 1, 2**53, 2**60, 2**61, 2**62, 2**63 - 1, 2**63, 2**64, 10**40):
        yield f"({n},)"
        yield f"(0, {n})"
        yield f"({n}, 0)"
        yield f"({n}, {n})"
    for a in (2**31, 2**40):
        yield f"(0, {a}, {a})"
        yield f"({a}, {a}, 0)"
    yield f"(0, {2**40}, {2**20})"


def descrs():
    codes = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 ? b B h H i I l L q Q e f d F D g G c n N p P O S U V T M m S5 U5 V4 O4 O8 M8 m8 M8[ns] m8[s] f16 c32 f3 f1 i3 i16 u b2 b4 c4 f12 x X s".split(" ")
    for order in ("", "<", ">", "|"):
        for code in codes:
            yield repr(order + code)
    for order in ("=", "!", "<<"):
        for code in ("f4", "?", "u1", "c16", "l", "U5"):
            yield repr(order + code)
    names = "bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 half single double csingle cdouble byte ubyte short ushort intc uintc longlong ulonglong float complex int int_ uint uint_ long ulong intp uintp longdouble clongdouble float128 complex256 str str_ bytes bytes_ object object_ void datetime64 timedelta64 bfloat16 float8 string unicode Float32 float_ bool8".split(" ")
    yield from map(repr, names)
    yield repr("<float32")
    yield repr("")
    yield from ("' f4'", "'f4 '", "'f04'", "'f+4'", "'f 4'", "'f4x'", "'f4\\n'", "'f4\\0'", "'2f4'", "'()f4'", "'(2,)f4'", "'f4,'", "',f4'", "'f4,f4'", "'<i4 '", "'f4;'", "'f-4'", "'f99999999999'")
    yield from ("u'<f4'", "U'<f4'", "r'<f4'", "R'<f4'", "ur'<f4'", "b'<f4'", "B'<f4'", "br'<f4'", "f'<f4'", "F'<f4'", "x'<f4'", "u '<f4'")
    yield from ("'''<f4'''", '"""<f4"""', "'<' 'f4'", "'<'\n'f4'", "'<' \"f4\"", "'<'u'f4'", "'<' b'f4'", "'''''' '<f4'", "'' '<f4'", "'<f4", "'<f4\"", "'''<f4''", "('<' 'f4')", "('<f4')", "('<') 'f4'", "'<' # c\n 'f4'")
    yield from ("'\\x3cf4'", "'\\x3Cf4'", "'\\74f4'", "'\\074f4'", "'\\u003cf4'", "'\\U0000003cf4'", "'\\N{LESS-THAN SIGN}f4'", "'<\\\nf4'", "'<\nf4'", "'\\q<f4'", "'\\x3'", "'\\xg1'", "'\\u12'", "'\\U00110000'", "'\\", "'\\'", "r'\\x3cf4'", "'\\<f4'", "'\\\\<f4'", "'\\'f4'", "'<f\\064'", "'\\8'")
    yield from ("None", "1", "1.5", "True", "()", "[]", "{}", "('<f4',(1,))", "('<f4',(2,))", "['<f4']", "[('a','<f4')]", "[('a','<f4',(2,))]", "('<f4',)", "f4", "<f4", "[('', '<f4')]")


def texts():
    d = header()
    for shape in shapes():
        yield header(shape=shape)
    for descr in descrs():
        yield header(descr=descr)
    for order in "True False true false 1 0 'False' None (True) ((False)) (True,) not(True) +True -False []".split(" ") + ["not False", "True or False", "True False", "True\nFalse"]:
        yield header(order=order)
    for before in ("", " ", "\t", "  \t ", "\n", "\r", "\r\n", "\n\n", "\n ", " \n", "\f", " \f", "\n\f", "\f ", "\\\n", "\v", "\xa0", "# c\n", "  # c\n", "\n# c\n\n", "# c\n ", "x", "\ufeff", "\x00", "0,", "("):
        yield before + d
    for after in ("\n", "  \n", "\r", "\r\n", "\t", "\f", "\v", "\xa0", "# c", " # c\n", "\n  # c\n\n", "\n\n\n", "\n   ", ";", ",", ", ", " x", "\nx", "\n x", "\x00", "\x1a", ")", "}", "\\", " \\\n", "\\\n\n", "# \x00", "# \xe9", "\n\f\n", ".x", "[0]", "()", "'x'", "\n\\"):
        yield d + after
    for old, new in ((": ", ":"), (": ", " : "), (": ", ":\n"), (": ", ":\r\n\t"), (": ", ": \\\n"), (": ", ": \\\r\n"), (": ", ": \\ \n"), (": ", ":# c\n"), (": ", ":\f"), (": ", ":\v"), (": ", "="), (": ", " "), (", ", ","), (", ", "\n,\n"), (", ", " "), (", ", ",,"), ("'", '"'), ("'", "'''"), ("'", "`"), ("}", ",}"), ("}", ",,}"), ("}", ", }"), ("}", ""), ("}", ")"), ("}", "]"), ("{", "{,"), ("{", "["), ("{", ""), ("{", "{**{},"), ("{", "{1:2,"), ("{", "dict("), ("'descr'", "'DESCR'"), ("'descr'", "descr"), ("'descr'", "b'descr'"), ("'descr'", "'des' 'cr'"), ("'descr'", "('descr')"), ("'descr'", "u'descr'"), ("'shape'", "'descr'"), ("'shape'", "'sh\\x61pe'")):
        yield d.replace(old, new)
    for extra in ("'x': 1", "'': 1", "1: 1", "True: 1", "(): 1", "(1,): 1", "[]: 1", "'descr': 'f8'", "'descr': None", "'shape': (3,)", "'shape': [3]", "'fortran_order': True", "'\xe9': 1"):
        yield d[:-1] + ", " + extra + "}"
    for first in ("'descr': 'zz'", "'descr': {}", "'descr': [1]", "'descr': 7", "'descr': 1.5", "'descr': None", "'descr': b''", "'descr': {1}", "'shape': (1, 'x')"):
        yield "{" + first + ", " + d[1:]
    yield from ("", " ", "\n", "{}", "[]", "()", "1", "'x'", "{", "[1, 2]", "None", d + d, "(" + d + ")", "(" + d + ",)", "(\n " + d + "\n )", "[" + d + "]", "{1, 2}", "'" + d + "'")
    yield d + " " * (10000 - len(d))
    yield d + " " * (10001 - len(d))
    yield d + "#" + "\xe9" * 9000
    for after in ("\r   ", "\r\t", "# c\r ", "\n\r ", "\r\n ", "\r \n ", "\n \r", "\r\r"):
        yield d + after


def main():
    kept = []
    for i, text in enumerate(dict.fromkeys(texts())):
        said = {}
        for version in (1, 2, 3):
            try:
                said[version] = verdict(version, text)
            except UnicodeEncodeError:
                pass
        # Versions 2 and 3 are kept where they differ, and as samples where they do not.
        for version in said:
            if version == 1 or said[version] != said.get(1) or i % 20 == version:
                kept.append([version, text, said[version]])
    sys.stdout.write("[\n" + ",\n".join(json.dumps(case) for case in kept) + "\n]\n")


main()
