"""The XLA side of `npm run interop -- --xla`: compiles and runs modules with JAX, one JSON object per line.

A question "sharded" runs on all devices and also answers with the sizes of the shards, of arguments and of results. A question is {"op": "run", "text", "args": [{"dtype", "dims", "content"}], "results": [dtype, ...]}, an answer {"ok": {"results":
[hex, ...]}} or {"error": "..."}. Dtypes are onebuffer's names; bytes are sent as hexadecimal, a byte per 4- or 2-bit number.
"""

import json
import os
import sys

# Everything that libraries print goes to stderr, so that stdout contains only answers.
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
sys.dont_write_bytecode = True
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax.extend import backend  # noqa: E402
from jax.extend.sharding import GSPMDSharding  # noqa: E402

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_num_cpu_devices", int(os.environ.get("ONEBUFFER_XLA_DEVICES", "1")))

QUANTIZED = {"qint8": "int8", "qint16": "int16", "qint32": "int32", "quint8": "uint8", "quint16": "uint16"}
NARROW = {"int4": 4, "int2": 2, "uint4": 4, "uint2": 2, "float4_e2m1fn": 4}


def numpy_dtype(name):
    name = QUANTIZED.get(name, name)
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


def array_of(tensor):
    """Returns a tensor's elements; signed 4- and 2-bit integers are extended from their low bits."""
    name = tensor["dtype"]
    data = np.frombuffer(bytes.fromhex(tensor["content"]), np.uint8)
    dtype = numpy_dtype(name)
    if name in ("int4", "int2"):
        bits = 8 - NARROW[name]
        values = np.right_shift(np.left_shift(data, bits).view(np.int8), bits)
        return values.astype(dtype).reshape(tensor["dims"])
    return data.view(dtype).reshape(tensor["dims"])


def bytes_of(array, name):
    array = np.ascontiguousarray(np.asarray(array))
    if name in ("int4", "int2"):
        array = array.astype(np.int8).view(np.uint8) & ((1 << NARROW[name]) - 1)
    return array.tobytes()


class Runner:
    def __init__(self):
        self.device = jax.devices()[:1]
        self.client = self.device[0].client
        places = np.array(self.device).reshape(1, 1)
        self.options = backend.get_compile_options(
            num_replicas=1, num_partitions=1, device_assignment=places, backend=self.client
        )

    def run(self, question):
        program = self.client.compile_and_load(question["text"], self.device, self.options)
        args = [jax.device_put(array_of(each), self.device[0]) for each in question["args"]]
        results = program.execute(args)
        return {"results": [bytes_of(x, name).hex() for x, name in zip(results, question["results"])]}

    def sharded(self, question):
        """Runs a module with a mesh on all devices; what has no annotation is divided as the partitioner chooses."""
        devices = jax.devices()
        count = len(devices)
        options = backend.get_compile_options(
            num_replicas=1,
            num_partitions=count,
            device_assignment=np.array(devices).reshape(1, count),
            backend=self.client,
        )
        build = options.executable_build_options
        build.use_spmd_partitioning = True
        build.use_shardy_partitioner = True
        build.allow_spmd_sharding_propagation_to_output = [True]
        build.allow_spmd_sharding_propagation_to_parameters = [True]
        program = self.client.compile_and_load(question["text"], devices, options)
        places = [GSPMDSharding(tuple(devices), each) for each in program.get_parameter_shardings()]
        args = [jax.device_put(array_of(each), place) for each, place in zip(question["args"], places)]
        parts = program.execute_sharded(args).disassemble_into_single_device_arrays()
        ends = [GSPMDSharding(tuple(devices), each) for each in program.get_output_shardings()]
        results = [
            jax.make_array_from_single_device_arrays(tuple(dims), end, part)
            for dims, end, part in zip(question["dims"], ends, parts)
        ]
        return {
            "results": [bytes_of(x, name).hex() for x, name in zip(results, question["results"])],
            "argumentShards": [list(p.shard_shape(tuple(each["dims"]))) for p, each in zip(places, question["args"])],
            "resultShards": [list(p.shard_shape(tuple(dims))) for p, dims in zip(ends, question["dims"])],
        }


def main():
    runner = Runner()
    for line in sys.stdin:
        question = json.loads(line)
        try:
            if question["op"] == "hello":
                answer = {"ok": {"jax": jax.__version__, "devices": len(jax.devices())}}
            elif question["op"] == "sharded":
                answer = {"ok": runner.sharded(question)}
            else:
                answer = {"ok": runner.run(question)}
        except Exception as error:  # any refusal is an answer
            answer = {"error": f"{type(error).__name__}: {error}"[:2000]}
        ANSWERS.write(json.dumps(answer) + "\n")
        ANSWERS.flush()


main()
