"""Writes header-verdicts.json: the safetensors library's verdicts on many spellings of a header.

    pip install safetensors==0.8.0
    python header-verdicts.py > header-verdicts.json

Each case is [header, bytes of data, verdict]. The header is latin-1 text, one character a byte; the data are zeros. The verdict is the list
of [name, dtype, shape, bytes], sorted by name, or null where the library refuses.
"""
import json
import struct
import sys

from safetensors import deserialize

T = '{"dtype":"F32","shape":[2],"data_offsets":[0,8]}'


def one(fields, data=8, name="a"):
    return ('{"%s":%s}' % (name, fields), data)


def tensor(dtype='"F32"', shape="[2]", offsets="[0,8]", extra=""):
    return '{"dtype":%s,"shape":%s,"data_offsets":%s%s}' % (dtype, shape, offsets, extra)


cases = [("", 0), (" ", 0), ("{}", 0), ("{} ", 0), ("\n{\t}\r\n", 0), ("[]", 0), ("1", 0), ('""', 0), ("{}{}", 0), ("{},", 0), ("{", 0), ("}", 0)]
cases += [("{}\0", 0), ("{}\v", 0), ("{}\f", 0), ("\xa0{}", 0), ("\xc2\xa0{}", 0), ("{}//", 0), ("{}/**/", 0), ("{,}", 0), ("{1:2}", 0), ("{a:1}", 0)]
for space in [" ", "\t", "\n", "\r", "\f", "\v", "\0", "\xc2\xa0", "/**/"]:
    cases.append(('{%s"a"%s:%s%s%s}%s' % (space, space, space, T, space, space), 8))
for name in ['x', '', '\\u0061', '\\u00e9', '\xc3\xa9', '\xe9', '\\ud83d\\ude00', '\\ud83d', '\\ude00', '\\ud83dx', '\\ud83d\\u0041', '\\ude00\\ud83d',
             '\\uD83D\\uDE00', '\xf0\x9f\x98\x80', '\xed\xa0\xbd', '\\u12', '\\u12g4', '\\x41', '\\n\\t\\b\\f\\r\\/\\\\\\"', '\\a', '\\', '\\u0000', '\0', '\n',
             '\x1f', '\x7f', '\xc0\x80', "'", '__proto__', 'constructor', '__metadata__x', '\\u005f_metadata__', '\xef\xbb\xbf', '\\ud83d\\', '\\ud83d\\n']:
    cases.append(one(T, 8, name))
for shape in ["[]", "[2]", "[2.0]", "[2e0]", "[+2]", "[-2]", "[-0]", "[02]", "[0x2]", "[2,]", "[,2]", "[2 2]", "[ 2 ]", "[1,2]", "[2,1,1,1]", "{}", "2", "null",
              '"2"', '["2"]', "[null]", "[true]", "[[2]]", "[2][2]", "[1e400]", "[18446744073709551615]", "[18446744073709551616]", "[0,18446744073709551615]",
              "[18446744073709551615,0]", "[0,18446744073709551616]", "[9007199254740993,0]", "[0,9007199254740993]", "[4294967296,4294967296,0]", "[0,4294967296,4294967296]",
              "[99999999999999999999999999999999]", "[0]", "[0,2]", "[2,0]", "[3]", "[2"]:
    for offsets in ["[0,8]", "[0,0]"]:
        cases.append(one(tensor(shape=shape, offsets=offsets), 8 if offsets == "[0,8]" else 0))
for offsets in ["[0,8]", "[8,0]", "[0]", "[0,8,8]", "[]", "[0,8.0]", "[-0,8]", "[0.0,8]", "[0,8e0]", '["0","8"]', "[0,9]", "[0,7]", "[1,9]", "null", "8", '{"0":0,"1":8}',
                "[0,18446744073709551616]", "[0,18446744073709551615]", "[18446744073709551615,7]", "[0,80e-1]", "[0, 8 ]", "[0,08]"]:
    for data in [8, 9, 7]:
        cases.append(one(tensor(offsets=offsets), data))
for dtype in "BOOL F4 F6_E2M3 F6_E3M2 U8 I8 F8_E5M2 F8_E4M3 F8_E8M0 F8_E4M3FNUZ F8_E5M2FNUZ I16 U16 F16 BF16 I32 U32 F32 C64 F64 I64 U64 C128 I4 U4 F8 STRING f32".split() + ["", " F32", "F32 ", "\\u004632"]:
    for n in [8, 4, 3, 1]:
        for bits in [4, 6, 8, 16, 32, 64]:
            if n * bits % 8 == 0:
                cases.append(one(tensor('"%s"' % dtype, "[%d]" % n, "[0,%d]" % (n * bits // 8)), n * bits // 8))
for dtype in ["null", "1", '["F32"]', '{"F32":null}', '{"F32":1}', '{"F32":[]}', "F32", "true", '{"F32":null,"F16":null}', "{}"]:
    cases.append(one(tensor(dtype)))
for extra in [',"x":1', ',"x":-0', ',"x":1.5e-3', ',"x":1e400', ',"x":01', ',"x":.5', ',"x":1.', ',"x":1e', ',"x":-', ',"x":NaN', ',"x":Infinity', ',"x":null', ',"x":tru', ',"x":true',
              ',"x":[1,[2,{"y":"z"}]]', ',"x":{"y":1,"y":2}', ',"x":1,"x":2', ',"dtype":"F32"', ',"shape":[2]', ',"data_offsets":[0,8]', ',"x":"\\ud800"', ',"x":"\n"',
              ',"x":' + "[" * 124 + "]" * 124, ',"x":' + "[" * 125 + "]" * 125, ',"x":' + "[" * 126 + "]" * 126, ',"x":' + "[" * 127 + "]" * 127, ',"x":' + "[" * 128 + "]" * 128,
              ',"x":' + '{"a":' * 125 + "1" + "}" * 125, ',"x":' + '{"a":' * 126 + "1" + "}" * 126, ',"x":123456789012345678901234567890', ',', ',,', ',"x"', ',"x":', ",'x':1", ',"":1']:
    cases.append(one(tensor(extra=extra)))
for fields in ["null", "1", "[]", "{}", '["F32",[2],[0,8]]', '["F32",[2],[0,8],1]', '["F32",[2]]', '[[2],"F32",[0,8]]', '{"dtype":"F32"}', '{"shape":[2],"data_offsets":[0,8],"dtype":"F32"}',
               '{"dtype":"F32","shape":[2],"data_offsets":[0,8]', '"x"', '["F32",[2],[0,8],]', '{"DTYPE":"F32","shape":[2],"data_offsets":[0,8]}', '{"d\\u0074ype":"F32","shape":[2],"data_offsets":[0,8]}']:
    cases.append(one(fields))
for metadata in ["null", "{}", '{"k":"v"}', '{"k":null}', '{"k":1}', '{"k":"v",}', '{"k":["v"]}', "[]", '""', "1", '{"k":"\\ud800"}', '{"k":"\xff"}', '{"k":"\\u0000"}', '{"":""}',
                 '{"k":"v","k":"w"}', '{"k":"v"', '{k:"v"}', '{1:"v"}', '[["k","v"]]']:
    cases.append(('{"__metadata__":%s,"a":%s}' % (metadata, T), 8))
    cases.append(('{"a":%s,"__metadata__":%s}' % (T, metadata), 8))
cases.append(('{"__metadata__":{},"__metadata__":{},"a":%s}' % T, 8))
cases.append(('{"__metadata__":null,"__metadata__":{},"a":%s}' % T, 8))
cases.append(('{"\\u005f_metadata__":{"k":"v"},"a":%s}' % T, 8))


def two(a, b, data, names=("a", "b")):
    return ('{"%s":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]},"%s":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}}'
            % (names[0], a[1] - a[0], *a, names[1], b[1] - b[0], *b), data)


for a, b, data in [((0, 2), (2, 4), 4), ((2, 4), (0, 2), 4), ((0, 2), (1, 3), 3), ((0, 2), (3, 4), 4), ((0, 0), (0, 4), 4), ((0, 4), (0, 0), 4), ((0, 0), (0, 0), 0), ((0, 4), (4, 4), 4),
                   ((4, 4), (0, 4), 4), ((2, 2), (0, 4), 4), ((0, 4), (2, 2), 4), ((0, 4), (0, 4), 4), ((0, 2), (2, 4), 5), ((0, 2), (2, 4), 3), ((1, 2), (2, 4), 4), ((0, 0), (1, 1), 1)]:
    cases.append(two(a, b, data))
    cases.append(two(a, b, data, ("a", "a")))

verdicts = []
for header, data in cases:
    raw = header.encode("latin-1")
    try:
        got = deserialize(struct.pack("<Q", len(raw)) + raw + bytes(data))
        verdict = sorted([name, t["dtype"], t["shape"], len(t["data"])] for name, t in got)
    except Exception:
        verdict = None
    verdicts.append([header, data, verdict])
json.dump(verdicts, sys.stdout, ensure_ascii=True, separators=(",", ":"))
