"""The runner of XlaDevice: executes StableHLO on JAX's PJRT for a Node process.

Node starts this program with a connected socket as file descriptor 3; xla_protocol.py, in the same folder, has the frames and the shared
memory. Arrays on the devices are named by handles and compiled programs by numbers, both chosen by Node. Node is not trusted to be
right: every dtype, size, offset and handle is checked here, too, because PJRT itself reads whatever memory it is given.

On CPU devices JAX does not copy aligned memory: the array on the device is the slot itself. The bytes of a slot belong to one NumPy
array ("the view"), which JAX keeps alive as long as it reads them; when that array dies, the slot's number is sent as an event.
"""
import gc
import json
import os
import socket
import struct
import sys
import threading
import weakref

# Python does not search this folder if it was started with -I or -P, or with PYTHONSAFEPATH. Nothing is written into the folder.
writes_nothing, sys.dont_write_bytecode = sys.dont_write_bytecode, True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import xla_protocol as protocol  # noqa: E402
from xla_protocol import RunnerError, integer, missing_platform, require, saying_whom_it_waits_for, status_of  # noqa: E402

sys.path.pop(0)
sys.dont_write_bytecode = writes_nothing

# The numbers of a request to run a program: the program, and how many handles of arguments and of results follow.
COUNTS = struct.Struct("<IHH")


class Array:
    """An array on the devices, with the dtype that the expression sees; `slot` is the slot it may alias, or -1."""

    __slots__ = ("value", "dtype", "dims", "slot", "whole")

    def __init__(self, value, dtype, dims, slot=-1):
        self.value, self.dtype, self.dims, self.slot, self.whole = value, dtype, dims, slot, None


class Program:
    """A compiled module: `expects` has the dtype, sizes and sharding of each argument, `results` the dtype and sizes of each result.
    Behind its results it returns a bool scalar for each of `checks`, which is true if some element is an error of that kind."""

    __slots__ = ("call", "expects", "results", "checks")

    def __init__(self, call, expects, results, checks):
        self.call, self.expects, self.results, self.checks = call, expects, results, checks


class Runner:
    """The devices, with the arrays and programs on them, and an action for each kind of request."""

    def __init__(self):
        self.arrays, self.pending, self.programs = {}, {}, {}
        self.memory = protocol.SharedMemory()
        self.started = False
        self.distributed = False
        self.actions = {
            protocol.START: self.start, protocol.SEGMENT: self.memory.open, protocol.DROP_SEGMENT: self.memory.drop,
            protocol.PUT: self.put, protocol.BEGIN: self.begin, protocol.FILL: self.fill, protocol.FETCH: self.fetch,
            protocol.FREE: self.free, protocol.SHARE: self.share, protocol.SHARDS: self.shards,
            protocol.COMPILE: self.compile, protocol.RUN: self.run, protocol.DROP: self.drop,
        }

    # The start.

    def start(self, body):
        require(not self.started, "the runner was started before", "FAILED_PRECONDITION")
        try:
            return self.start_jax(json.loads(body))
        except (RuntimeError, AssertionError) as error:
            # JAX's errors for a platform that it does not know or cannot reach, an AssertionError for CUDA without its plugin; those with a
            # canonical code keep it.
            if jax is not None and (isinstance(error, AssertionError) or "Unable to initialize backend" in str(error)):
                raise RunnerError("FAILED_PRECONDITION", missing_platform(json.loads(body).get("platform"), error)) from None
            raise RunnerError(*status_of(error)) if status_of(error)[0] != "INTERNAL" else RunnerError("FAILED_PRECONDITION", str(error)) from None

    def start_jax(self, options):
        require(options["protocol"] == protocol.VERSION, f"the runner speaks protocol {protocol.VERSION}, not {options['protocol']}", "FAILED_PRECONDITION")
        require(sys.byteorder == "little", "the runner's machine is big-endian", "UNIMPLEMENTED")
        load_jax()
        jax.config.update("jax_enable_x64", True)
        # Each run is waited for: on processors it need not go to another thread, which takes as long as a small program.
        if "jax_cpu_enable_async_dispatch" in jax.config.values:
            jax.config.update("jax_cpu_enable_async_dispatch", False)
        if options.get("platform"):
            jax.config.update("jax_platforms", options["platform"])
        count = options.get("devices")
        if count:
            jax.config.update("jax_num_cpu_devices", count)
        group = options.get("processes")
        if group:
            self.distributed = True
            with saying_whom_it_waits_for(group):
                jax.distributed.initialize(
                    group["coordinator"], num_processes=group["count"], process_id=group["index"],
                    initialization_timeout=group["joinSeconds"], heartbeat_timeout_seconds=group["heartbeatSeconds"],
                )
        here = jax.local_devices()
        if count:
            require(len(here) >= count, f"{count} devices were asked for, JAX has {len(here)} of platform {jax.default_backend()}", "FAILED_PRECONDITION")
        if group:
            devices = jax.devices()
            require(not count or len(devices) == count * group["count"], f"the processes have {len(devices)} devices, not {count} each", "FAILED_PRECONDITION")
        else:
            devices = here[:count] if count else here
        mesh = options.get("mesh") or [["devices", len(devices)]]
        sizes = [size for _, size in mesh]
        require(np.prod(sizes, dtype=np.int64) == len(devices), f"a mesh of {'x'.join(map(str, sizes))} devices, but there are {len(devices)}")
        self.mesh = Mesh(np.array(devices, dtype=object).reshape(sizes), [name for name, _ in mesh])
        self.axes = dict((name, size) for name, size in mesh)
        self.shardings = {}
        self.devices = devices
        self.started = True
        # Everything that exists now stays: the collector need not look at it again whenever a slot is released.
        gc.collect()
        gc.freeze()
        return reply({
            "protocol": protocol.VERSION, "python": sys.version.split()[0], "jax": jax.__version__, "jaxlib": jaxlib.__version__,
            "stablehlo": {"current": stablehlo.get_current_version(), "minimum": stablehlo.get_minimum_version()},
            "platform": jax.default_backend(), "process": jax.process_index(), "processes": jax.process_count(),
            "mesh": mesh, "devices": [{"id": d.id, "process": d.process_index, "kind": d.device_kind} for d in devices],
        })

    def leave(self):
        """Leaves the group. Waits for the other processes, which end together, until the watching thread has waited long enough."""
        if self.distributed:
            jax.distributed.shutdown()

    # Arrays.

    def view(self, request, count):
        """The `count` bytes of a request's slot as a new NumPy array that is the only owner of the view."""
        memory, offset = self.memory.place(request, count)
        return np.frombuffer(memory, np.uint8, count, offset)

    def header(self, request):
        """The handle, dtype, sizes and sharding of a new array, checked."""
        handle = integer(request["handle"], 1, 2**32 - 1, "handle")
        dtype = request["dtype"]
        require(dtype in DTYPES, f"there is no dtype {dtype!r}", "UNIMPLEMENTED")
        dims = self.dims(request["dims"])
        return handle, dtype, dims, self.sharding(request["sharding"], dims)

    def dims(self, dims):
        require(isinstance(dims, list) and len(dims) <= 64, f"sizes {dims!r}")
        return tuple(integer(size, 0, 2**40, "size") for size in dims)

    def sharding(self, spec, dims):
        """The NamedSharding of a list with null, a name or a list of names for each dimension; the same object for the same list."""
        key = json.dumps(spec)
        known = self.shardings.get(key)
        parts = [[] if part is None else [part] if isinstance(part, str) else part for part in spec]
        require(len(parts) <= len(dims), f"a sharding of {len(parts)} dimensions for sizes {list(dims)}")
        names = [name for part in parts for name in part]
        require(all(name in self.axes for name in names), f"sharding {key} names an axis that the mesh {self.axes} lacks")
        require(len(set(names)) == len(names), f"sharding {key} uses an axis twice")
        for d, part in enumerate(parts):
            shards = 1
            for name in part:
                shards *= self.axes[name]
            require(dims[d] % shards == 0, f"dimension {d} of size {dims[d]} cannot be divided into {shards} equal shards")
        if known is None:
            spec = [None if not part else part[0] if len(part) == 1 else tuple(part) for part in parts]
            while spec and spec[-1] is None:
                spec.pop()
            known = self.shardings[key] = NamedSharding(self.mesh, PartitionSpec(*spec))
        return known

    def to_devices(self, host, sharding):
        """A NumPy array on the devices. Does not copy on CPU devices where the memory of a shard is aligned and contiguous."""
        if sharding.is_fully_addressable:
            value = jax.device_put(host, sharding)
        else:
            value = jax.make_array_from_callback(host.shape, sharding, lambda index: host[index])
        return value.block_until_ready()

    def put(self, body):
        """Makes an array of the bytes of a slot."""
        request = json.loads(body)
        slot, view = integer(request["slot"], 0, 2**32 - 1, "slot"), None
        try:
            handle, dtype, dims, sharding = self.header(request)
            view = self.view(request, byte_count(dtype, dims))
            require(request["bytes"] == view.nbytes, f"{dtype} of {list(dims)} has {view.nbytes} bytes, not {request['bytes']}")
        except BaseException:
            self.memory.released.append(slot)
            raise
        weakref.finalize(view, self.memory.released.append, slot).atexit = False
        self.store(handle, Array(self.to_devices(as_stored(view, dtype, dims), sharding), dtype, dims, slot))

    def begin(self, body):
        """Begins an array that comes in several pieces, each through a slot of its own."""
        request = json.loads(body)
        handle, dtype, dims, sharding = self.header(request)
        count = byte_count(dtype, dims)
        require(handle not in self.pending, f"array {handle} has begun")
        self.pending[handle] = (aligned(count), dtype, dims, sharding)

    def fill(self, body):
        """Copies one piece; the last piece completes the array."""
        request = json.loads(body)
        handle, at = request["handle"], request["at"]
        require(handle in self.pending, f"array {handle} has not begun", "NOT_FOUND")
        whole, dtype, dims, sharding = self.pending[handle]
        count = integer(request["bytes"], 0, whole.nbytes, "bytes")
        integer(at, 0, whole.nbytes - count, "offset")
        np.copyto(whole[at : at + count], self.view(request, count))
        if request["last"]:
            del self.pending[handle]
            self.store(handle, Array(self.to_devices(as_stored(whole, dtype, dims), sharding), dtype, dims))

    def store(self, handle, array):
        old = self.arrays.get(handle)
        self.arrays[handle] = array
        if old is not None and old.slot >= 0:
            del old
            gc.collect(0)

    def array(self, handle):
        found = self.arrays.get(handle)
        require(found is not None, f"there is no array {handle}", "NOT_FOUND")
        return found

    def free(self, body):
        """Forgets arrays. JAX drops what it no longer reads at a collection, which also releases the slots."""
        alias = False
        for (handle,) in struct.iter_unpack("<I", body[: len(body) // 4 * 4]):
            self.pending.pop(handle, None)
            array = self.arrays.pop(handle, None)
            if array is not None and array.slot >= 0:
                alias = True
        array = None
        if alias or not body:
            gc.collect(0)

    def share(self, body):
        """Gives an array a second handle: it stays the same while the first one gets a new array."""
        request = json.loads(body)
        self.arrays[integer(request["as"], 1, 2**32 - 1, "handle")] = self.array(request["handle"])

    def shards(self, body):
        """The shards of an array on this process's devices: device, and begin and size in every dimension."""
        array = self.array(json.loads(body)["handle"])
        found = []
        for shard in array.value.addressable_shards:
            ranges = [part.indices(size) for part, size in zip(shard.index, array.dims)]
            found.append({"device": shard.device.id, "offsets": [r[0] for r in ranges], "sizes": [r[1] - r[0] for r in ranges]})
        return reply({"shards": found, "sharding": spec_of(array.value.sharding, len(array.dims))})

    def fetch(self, body):
        """Copies bytes of an array into a slot, from byte `at` on."""
        request = json.loads(body)
        array = self.array(request["handle"])
        total = byte_count(array.dtype, array.dims)
        count = integer(request["bytes"], 0, total, "bytes")
        at = integer(request["at"], 0, total - count, "offset")
        target = self.view(request, count)
        value = array.value
        if count == total and value.is_fully_addressable:
            copy_shards(value, target.view(DTYPES[array.dtype]).reshape(array.dims))
            return
        if array.whole is None:
            if not value.is_fully_addressable and not value.is_fully_replicated:
                # All processes of the group execute this together.
                value = jax.jit(lambda x: x, out_shardings=NamedSharding(self.mesh, PartitionSpec()))(value)
            array.whole = np.ascontiguousarray(np.asarray(value)).reshape(-1).view(np.uint8)
        np.copyto(target, array.whole[at : at + count])
        if at + count == total:
            array.whole = None

    # Programs.

    def compile(self, body):
        """Compiles a module. `results` have a sharding, or null if the partitioner may choose."""
        (length,) = struct.unpack_from("<I", body)
        request, text = json.loads(body[4 : 4 + length]), body[4 + length :].decode()
        number = integer(request["program"], 1, 2**32 - 1, "program")
        require(number not in self.programs, f"program {number} exists")
        arguments = [(each["dtype"], self.dims(each["dims"])) for each in request["arguments"]]
        results = [(each["dtype"], self.dims(each["dims"])) for each in request["results"]]
        for dtype, _ in arguments + results:
            require(dtype in DTYPES, f"there is no dtype {dtype!r}", "UNIMPLEMENTED")
        ins = tuple(self.sharding(each["sharding"], dims) for each, (_, dims) in zip(request["arguments"], arguments))
        outs = tuple(None if each["sharding"] is None else self.sharding(each["sharding"], dims) for each, (_, dims) in zip(request["results"], results))
        checks = request["checks"]
        require(all(check in CHECKS for check in checks), f"there are no checks {checks!r}")
        faults = [("bool", ())] * len(checks)
        call = compiled(text, arguments, results + faults, ins, outs + (self.sharding([], ()),) * len(faults))
        expects = [(dtype, dims, sharding) for (dtype, dims), sharding in zip(arguments, ins)]
        self.programs[number] = Program(call, expects, results, checks)
        return reply({"shardings": [spec_of(each, len(dims)) for each, (_, dims) in zip(call.output_shardings, results)]})

    def run(self, body):
        """Executes a program and waits for its results, which get new handles or replace arrays. Waiting is needed for errors, and
        because programs with collectives that are started without it can block each other."""
        if len(body) < 8:
            raise RunnerError("INVALID_ARGUMENT", f"a request of {len(body)} bytes")
        number, inputs, outputs = COUNTS.unpack_from(body)
        program = self.programs.get(number)
        if program is None:
            raise RunnerError("NOT_FOUND", f"there is no program {number}")
        expects, results = program.expects, program.results
        if len(body) != 8 + 4 * (inputs + outputs) or inputs != len(expects) or outputs != len(results):
            raise RunnerError("INVALID_ARGUMENT", f"{len(body)} bytes for {inputs} arguments and {outputs} results, the program has {len(expects)} and {len(results)}")
        handles = struct.unpack_from(f"<{inputs + outputs}I", body, 8)
        values, arrays = [], self.arrays
        for handle, (dtype, dims, sharding) in zip(handles, expects):
            array = arrays.get(handle) or self.array(handle)
            if array.dtype != dtype or array.dims != dims:
                raise RunnerError("INVALID_ARGUMENT", f"array {handle} is {array.dtype} of {list(array.dims)}, the program expects {dtype} of {list(dims)}")
            value = array.value
            if value.sharding is not sharding and not value.sharding.is_equivalent_to(sharding, len(dims)):
                value = jax.device_put(value, sharding)
            values.append(value)
        found = program.call(*values)
        for value in found:
            value.block_until_ready()
        for check, fault in zip(program.checks, found[len(results) :]):
            require(not np.asarray(fault), CHECKS[check])
        alias = False
        for handle, value, (dtype, dims) in zip(handles[inputs:], found, results):
            old = arrays.get(handle)
            if old is not None and old.slot >= 0:
                alias = True
            arrays[handle] = Array(value, dtype, dims)
        if alias:
            old = array = value = values = None
            gc.collect(0)

    def drop(self, body):
        """Forgets programs."""
        for (number,) in struct.iter_unpack("<I", body[: len(body) // 4 * 4]):
            self.programs.pop(number, None)


def reply(value):
    return json.dumps(value).encode()


def aligned(count):
    """`count` fresh bytes that begin at a multiple of the alignment, so that JAX can use them in place."""
    block = np.empty(count + protocol.ALIGNMENT, np.uint8)
    skip = -block.ctypes.data % protocol.ALIGNMENT
    return block[skip : skip + count]


def as_stored(bytes_, dtype, dims):
    """Bytes of Node as the array that the devices store."""
    if dtype == "bool":
        # Any byte but 0 is true for Node, and undefined for XLA.
        return np.not_equal(bytes_, 0).reshape(dims)
    return bytes_.view(DTYPES[dtype]).reshape(dims)


def byte_count(dtype, dims):
    """The bytes of an array with these sizes, in Node and in the runner."""
    count = DTYPES[dtype].itemsize
    for size in dims:
        count *= size
    return count


def copy_shards(value, target):
    """Copies each part of an array once into a NumPy array of the same sizes."""
    for shard in value.addressable_shards:
        if shard.replica_id == 0:
            data = np.asarray(shard.data)
            np.copyto(target[shard.index] if target.ndim else target, data)


def spec_of(sharding, rank):
    """A sharding as a list with null, a name or a list of names for each dimension; null if it is of another kind."""
    spec = getattr(sharding, "spec", None)
    if spec is None:
        return [None] * rank if sharding.is_fully_replicated else None
    parts = [None if part is None else part if isinstance(part, str) else list(part) for part in spec]
    return parts + [None] * (rank - len(parts))


def compiled(text, arguments, results, ins, outs):
    """A module's text as a function of arrays, compiled. The skeleton comes from jax.export, whose call checks dtypes and sizes."""
    artifact = serialize_portable_artifact(text, stablehlo.get_current_version())
    logical = [jax.ShapeDtypeStruct(dims, LOGICAL[dtype]) for dtype, dims in arguments]
    zeros = jax.jit(lambda *_: tuple(jnp.zeros(dims, LOGICAL[dtype]) for dtype, dims in results), keep_unused=True)
    skeleton = jax.export.export(zeros)(*logical)
    module = dataclasses.replace(skeleton, mlir_module_serialized=artifact)
    require(tuple(module.module_kept_var_idx) == tuple(range(len(arguments))), "jax.export drops arguments", "INTERNAL")

    def call(*values):
        found = module.call(*[to_logical(value, dtype) for value, (dtype, _) in zip(values, arguments)])
        return tuple(from_logical(value, dtype) for value, (dtype, _) in zip(found, results))

    stored = [jax.ShapeDtypeStruct(dims, DTYPES[dtype], sharding=sharding) for (dtype, dims), sharding in zip(arguments, ins)]
    return jax.jit(call, in_shardings=ins, out_shardings=outs, keep_unused=True).lower(*stored).compile()


def to_logical(value, dtype):
    """Elements of 2 and 4 bits are stored as bytes between programs: their packed layouts differ from program to program."""
    if dtype == "float4_e2m1fn":
        return jax.lax.bitcast_convert_type(value.astype("uint4"), LOGICAL[dtype])
    return value.astype(LOGICAL[dtype]) if dtype in NARROW else value


def from_logical(value, dtype):
    if dtype == "float4_e2m1fn":
        return jax.lax.bitcast_convert_type(value, jnp.uint4).astype(DTYPES[dtype])
    return value.astype(DTYPES[dtype]) if dtype in NARROW else value


# The dtypes of elements of 2 and 4 bits, and those of their bytes.
NARROW = {"int4": "int8", "int2": "int8", "uint4": "uint8", "uint2": "uint8", "float4_e2m1fn": "uint8"}


def load_jax():
    """Imports JAX, and fails with a sentence that says what to install."""
    names = globals()
    try:
        import dataclasses

        import numpy as np

        import jax
        import jax.numpy as jnp
        import jaxlib
        import ml_dtypes
    except ImportError as error:
        raise RunnerError("FAILED_PRECONDITION", f"{sys.executable} cannot import JAX ({error}): install it with `{sys.executable} -m pip install jax`") from None
    try:
        import jax.export
        from jax.extend.mlir import serialize_portable_artifact
        from jax.sharding import Mesh, NamedSharding, PartitionSpec
        from jaxlib.mlir.dialects import stablehlo

        stablehlo.get_current_version()
        require(hasattr(jax.config, "jax_num_cpu_devices"), "no jax_num_cpu_devices")
    except (ImportError, AttributeError, RunnerError) as error:
        raise RunnerError("FAILED_PRECONDITION", f"JAX {jax.__version__} lacks what the runner needs ({error}): install a newer one") from None
    names.update({key: value for key, value in locals().items() if key not in ("names", "error")})
    plain = "float64 float32 float16 complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
    small = "bfloat16 float8_e5m2 float8_e4m3fn float8_e4m3fnuz float8_e4m3b11fnuz float8_e5m2fnuz".split()
    logical = {name: np.dtype(name) for name in plain} | {"bool": np.dtype(np.bool_)}
    logical |= {name: np.dtype(getattr(ml_dtypes, name)) for name in small + list(NARROW) if hasattr(ml_dtypes, name)}
    logical |= {"q" + name: logical[name] for name in ("int8", "uint8", "int16", "uint16", "int32")}
    names["LOGICAL"] = logical
    names["DTYPES"] = {name: np.dtype(NARROW.get(name, dtype)) for name, dtype in logical.items()}


# The errors of elements that a program can find, as the kinds of toStableHLO's checks.
CHECKS = {
    "divisionByZero": "an integer is divided by 0",
    "negativePower": "an integer is raised to a negative power",
    "indexOutOfRange": "an index is out of range",
}

def main():
    # Native libraries print to stdout.
    os.dup2(2, 1)
    connection = socket.socket(fileno=3)
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        connection.setsockopt(socket.SOL_SOCKET, option, 1 << 20)
    threading.Thread(target=protocol.end_with_node, args=(connection,), daemon=True).start()
    runner = Runner()
    code = 0
    try:
        if protocol.Connection(connection, runner.actions, runner.memory.released).serve():
            runner.leave()
    except (ConnectionError, BrokenPipeError):
        pass
    except RunnerError as error:
        print(f"{error.code}: {error}", file=sys.stderr, flush=True)
        code = 1
    # Without the interpreter's own end, in which native threads that still run would print errors.
    os._exit(code)


if __name__ == "__main__":
    main()
