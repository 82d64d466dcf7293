"""The Python side of checks-files.mjs: files of arrays, read and written by NumPy, ml_dtypes and safetensors.

    python files_side.py FOLDER

For each file in FOLDER/ours it prints what is in it, and writes the same arrays to a file of the same name in FOLDER/theirs. The answer is
one JSON object: {"versions": {...}, "files": {name: {"arrays": [[name, dtype, shape, sha256], ...], "metadata": {...}} or {"error": text}}}.
"""
import ctypes
import hashlib
import json
import os
import sys

import numpy as np

try:
    import safetensors
except ImportError:
    safetensors = None

# The names of the types in a file, and those that safetensors' `serialize` takes.
SERIALIZED = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "F8_E5M2": "float8_e5m2", "F8_E4M3": "float8_e4m3fn", "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz", "F8_E8M0": "float8_e8m0fnu", "F4": "float4_e2m1fn_x2", "I16": "int16", "U16": "uint16", "F16": "float16",
    "BF16": "bfloat16", "I32": "int32", "U32": "uint32", "F32": "float32", "C64": "complex64", "F64": "float64", "I64": "int64", "U64": "uint64",
}


def digest(data):
    return hashlib.sha256(data).hexdigest()


def row(name, array):
    little = array.astype(array.dtype.newbyteorder("<"))
    return [name, array.dtype.name, list(array.shape), digest(np.ascontiguousarray(little).tobytes())]


def npy(path, target):
    array = np.load(path)
    np.save(target, array)
    return {"arrays": [row("", array)]}


def npz(path, target):
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    save = np.savez_compressed if "compressed" in os.path.basename(path) else np.savez
    save(target, **arrays)
    return {"arrays": [row(name, array) for name, array in arrays.items()]}


def safetensors_file(path, target):
    if safetensors is None:
        return {"error": "safetensors is not installed"}
    with open(path, "rb") as file:
        data = file.read()
    with safetensors.safe_open(path, framework="np") as file:
        metadata = file.metadata()
    tensors = safetensors.deserialize(data)
    kept = []
    specs = {}
    for name, tensor in tensors:
        buffer = ctypes.create_string_buffer(bytes(tensor["data"]), len(tensor["data"]))
        kept.append(buffer)
        shape = list(tensor["shape"])
        if tensor["dtype"] == "F4":
            shape[-1] //= 2
        specs[name] = safetensors.TensorSpec(
            dtype=SERIALIZED[tensor["dtype"]], shape=shape, data_ptr=ctypes.addressof(buffer), data_len=len(tensor["data"])
        )
    with open(target, "wb") as file:
        file.write(bytes(safetensors.serialize(specs, metadata)))
    rows = [[name, tensor["dtype"], list(tensor["shape"]), digest(bytes(tensor["data"]))] for name, tensor in tensors]
    return {"arrays": rows, "metadata": metadata or {}}


READERS = {".npy": npy, ".npz": npz, ".safetensors": safetensors_file}


def main():
    folder = sys.argv[1]
    theirs = os.path.join(folder, "theirs")
    os.makedirs(theirs, exist_ok=True)
    files = {}
    for name in sorted(os.listdir(os.path.join(folder, "ours"))):
        read = READERS[os.path.splitext(name)[1]]
        try:
            files[name] = read(os.path.join(folder, "ours", name), os.path.join(theirs, name))
        except Exception as error:  # The caller compares the refusal.
            files[name] = {"error": f"{type(error).__name__}: {error}"}
    versions = {"numpy": np.__version__, "safetensors": None if safetensors is None else safetensors.__version__}
    print(json.dumps({"versions": versions, "files": files}))


main()
