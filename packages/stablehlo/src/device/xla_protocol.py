"""The runner's side of the connection to Node: frames, canonical errors, and the shared memory that holds elements.

Node and the runner talk in frames over a connected socket, all integers little-endian (frame.ts has the same table):

    request   u32 length of the rest | u32 id | u8 kind   | body
    answer    u32 length of the rest | u32 id | u8 status | body      status 0: done, 1: error (JSON with code and message)
    event     u32 length of the rest | u32 0  | u8 2      | body      the u32 numbers of slots whose bytes nothing reads any more

Requests are executed one after the other, and answered in the same order. Elements are not in frames: they are in files of shared
memory ("segments") that both processes open. Node is not trusted to be right: every length, offset and number is checked. This file needs
nothing but Python's own modules.
"""
import collections
import contextlib
import gc
import json
import mmap
import os
import select
import socket
import struct
import sys
import threading
import time
import traceback

# The version of the protocol. Both sides must have the same.
VERSION = 1
# The most bytes of a frame: the texts of modules are the longest requests.
MOST_FRAME = 1 << 28
# Slots begin at multiples of this, which JAX needs to use the memory of processors in place.
ALIGNMENT = 64

# How long the runner asks for the next request before it sleeps.
SPIN_SECONDS = 2e-4

# The kinds of requests, and the status bytes of what is sent to Node.
START, SEGMENT, DROP_SEGMENT, PUT, BEGIN, FILL, COMPILE, RUN, FETCH, FREE, DROP, SHARDS, STOP, SHARE = range(1, 15)
DONE, ERROR, RELEASED = 0, 1, 2

# The begin of a frame: length, id, kind or status.
REQUEST = struct.Struct("<IIB")


class RunnerError(Exception):
    """An error with a canonical status code."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def require(condition, message, code="INVALID_ARGUMENT"):
    """Raises a RunnerError unless the condition is true."""
    if not condition:
        raise RunnerError(code, message)


def integer(value, low, high, what):
    """Returns `value`, which must be an integer from `low` to `high`, both included."""
    require(isinstance(value, int) and not isinstance(value, bool) and low <= value <= high, f"{what} {value!r} is not in [{low}, {high}]")
    return value


# The canonical codes that Node knows.
CODES = {
    "CANCELLED", "INVALID_ARGUMENT", "NOT_FOUND", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "DATA_LOSS", "UNAVAILABLE",
}


def status_of(error):
    """The canonical code and the message of an error."""
    text = str(error) or type(error).__name__
    if isinstance(error, RunnerError):
        return error.code, text
    head, _, rest = text.partition(": ")
    if head in CODES:
        return head, rest
    if head in ("UNKNOWN", "ABORTED", "DEADLINE_EXCEEDED"):
        return ("INTERNAL" if head == "UNKNOWN" else "UNAVAILABLE"), rest
    if isinstance(error, MemoryError):
        return "RESOURCE_EXHAUSTED", f"the runner has no memory: {text}"
    if isinstance(error, OSError):
        return ("RESOURCE_EXHAUSTED" if error.errno in (12, 28, 122) else "INTERNAL"), text
    if isinstance(error, (KeyError, json.JSONDecodeError, UnicodeDecodeError, struct.error)):
        return "INVALID_ARGUMENT", f"malformed request: {type(error).__name__} {text}"
    if isinstance(error, (TypeError, ValueError)):
        return "INVALID_ARGUMENT", text
    return "INTERNAL", f"{type(error).__name__}: {text}"


class SharedMemory:
    """The open segments, and the numbers of slots in them that Node may use again (in Node: SharedMemory)."""

    def __init__(self):
        self.segments = {}
        self.released = collections.deque()

    def open(self, body):
        """Opens the file of a segment."""
        request = json.loads(body)
        number, size = integer(request["segment"], 0, 2**32 - 1, "segment"), integer(request["bytes"], 1, 2**48, "bytes")
        require(number not in self.segments, f"segment {number} is open")
        file = os.open(request["path"], os.O_RDWR)
        try:
            # Without this a write to memory that the system does not have would end the process by a signal.
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file, 0, size)
            require(os.fstat(file).st_size >= size, f"segment {number} has {os.fstat(file).st_size} bytes, not {size}")
            self.segments[number] = mmap.mmap(file, size)
        finally:
            os.close(file)

    def drop(self, body):
        """Forgets a segment. Its memory stays as long as an array is in it."""
        number = json.loads(body)["segment"]
        require(self.segments.pop(number, None) is not None, f"there is no segment {number}", "NOT_FOUND")

    def place(self, request, count):
        """Returns the segment of a request's slot and the offset in it where `count` bytes begin, both checked."""
        memory = self.segments.get(request["segment"])
        require(memory is not None, f"there is no segment {request['segment']}", "NOT_FOUND")
        offset = integer(request["offset"], 0, len(memory), "offset")
        require(offset % ALIGNMENT == 0, f"offset {offset} is not a multiple of {ALIGNMENT}")
        require(count <= len(memory) - offset, f"{count} bytes at {offset} do not fit segment {request['segment']} of {len(memory)} bytes", "OUT_OF_RANGE")
        return memory, offset


class Connection:
    """The connected socket. `actions` has a function for each kind of request: it takes a body, and returns that of the answer or None."""

    def __init__(self, connection, actions, released):
        self.connection, self.actions, self.released = connection, actions, released
        self.started = False

    def serve(self):
        """Answers requests. Returns True once Node asks for the end, and False once it closes the connection."""
        buffer, begin, end = bytearray(1 << 16), 0, 0
        send, unpack = self.connection.sendall, REQUEST.unpack_from
        while True:
            while end - begin >= 9:
                length, request, kind = unpack(buffer, begin)
                if length < 5 or length > MOST_FRAME or request == 0:
                    raise RunnerError("DATA_LOSS", f"a frame of {length} bytes with id {request}")
                if end - begin < 4 + length:
                    break
                body = bytes(buffer[begin + 9 : begin + 4 + length])
                begin += 4 + length
                if kind == STOP:
                    send(REQUEST.pack(5, request, DONE))
                    return True
                status, answer = self.answer(kind, body)
                frame = REQUEST.pack(5 + len(answer), request, status) + answer
                if self.released:
                    frame += self.released_frame()
                send(frame)
            if begin == end:
                begin = end = 0
            elif len(buffer) - end < 4096 or begin > 1 << 20:
                rest = bytes(buffer[begin:end])
                buffer = bytearray(max(1 << 16, 2 * len(rest) + 4096))
                buffer[: len(rest)] = rest
                begin, end = 0, len(rest)
            count = self.receive_soon(memoryview(buffer)[end:])
            if count == 0:
                return False
            end += count

    def receive_soon(self, target):
        """Receives some bytes. Asks again and again for a moment before it sleeps: the next step of a loop comes that soon, and to be woken
        takes as long as a small program."""
        until = time.perf_counter() + SPIN_SECONDS
        while time.perf_counter() < until:
            try:
                return self.connection.recv_into(target, 0, socket.MSG_DONTWAIT)
            except BlockingIOError:
                pass
        return self.connection.recv_into(target)

    def answer(self, kind, body):
        """Executes one request; returns the status and the body of its answer."""
        try:
            action = self.actions.get(kind)
            require(action is not None, f"there is no request of kind {kind}", "UNIMPLEMENTED")
            require(self.started or kind == START, "the runner was not started", "FAILED_PRECONDITION")
            found = action(body) or b""
            self.started = True
            return DONE, found
        except BaseException as error:  # noqa: BLE001, every error becomes an answer
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            code, message = status_of(error)
            # The traceback keeps the arrays of the failed request alive, and with them its slot.
            traceback.clear_frames(error.__traceback__)
            error.__traceback__ = None
            if kind in (PUT, RUN):
                gc.collect(0)
            return ERROR, json.dumps({"code": code, "message": message[:8000]}).encode()

    def released_frame(self):
        """Returns the event with the slots that were released since the last one."""
        slots = []
        while self.released:
            slots.append(self.released.popleft())
        return struct.pack(f"<IIB{len(slots)}I", 5 + 4 * len(slots), 0, RELEASED, *slots)


def end_with_node(connection):
    """Ends this process when Node closes the connection, even in the middle of a compilation: Node may have been killed."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(connection, getattr(select, "POLLRDHUP", 0))
    while True:
        for _, event in poll.poll(1000 if sys.platform == "darwin" else None):
            if event & (select.POLLHUP | select.POLLERR | getattr(select, "POLLRDHUP", 0)):
                # The main thread gets a moment to answer what it has read and to leave the group.
                time.sleep(2)
                os._exit(0)


def missing_platform(platform, error):
    """One sentence about a platform that JAX cannot use, and what helps."""
    wanted = "its default platform" if platform is None else f"the platform {platform!r}"
    known = {"cuda": "it needs an NVIDIA GPU with its driver and pip install 'jax[cuda12]'", "gpu": "it needs a GPU and JAX's plugin for it",
             "rocm": "it needs an AMD GPU and JAX's plugin for ROCm", "tpu": "it needs a TPU and pip install 'jax[tpu]'"}
    cause = str(error).split("\n")[0].replace(" (set JAX_PLATFORMS='' to automatically choose an available backend)", "").rstrip(".")
    return f"JAX cannot use {wanted} here: {known.get(platform, cause)}; platform 'cpu' is always there"


# Seconds after which a start of a group says whom it waits for.
WAIT_SECONDS = 5
# The program prints what follows this word as a warning: see runner-process.ts.
SAYS = "onebuffer says: "


@contextlib.contextmanager
def saying_whom_it_waits_for(group):
    """Says after some seconds that the other processes of the group have not come yet."""
    others = [str(k) for k in range(group["count"]) if k != group["index"]]
    shown = ", ".join(others[:8]) + (", ..." if len(others) > 8 else "")
    whom = f"processes {shown}" if len(others) > 1 else f"process {shown}"
    at = "listens at" if group["index"] == 0 else "looks for process 0 at"
    text = (f"XlaDevice.start: process {group['index']} of {group['count']} still waits for {whom}: it {at} {group['coordinator']}, and gives "
            f"up after {group['joinSeconds']} s or when its signal is aborted")
    timer = threading.Timer(WAIT_SECONDS, lambda: print(f"{SAYS}{text}", file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
