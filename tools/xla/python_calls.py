"""Prints the least microseconds of a call of a compiled function: x and y float32 [4], one result. The text is on standard input."""
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "packages/stablehlo/src/device"))
sys.dont_write_bytecode = True
import xla_runner  # noqa: E402

xla_runner.load_jax()
jax, np = xla_runner.jax, xla_runner.np
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_num_cpu_devices", 1)
mesh = xla_runner.Mesh(np.array(jax.devices()), ("devices",))
sharding = xla_runner.NamedSharding(mesh, xla_runner.PartitionSpec())
one = ("float32", (4,))
call = xla_runner.compiled(sys.stdin.read(), [one, one], [one], (sharding, sharding), (sharding,))
value = jax.device_put(np.ones(4, np.float32), sharding)
rounds, calls = int(sys.argv[1]), int(sys.argv[2])
least = float("inf")
for _ in range(rounds):
    started = time.perf_counter()
    for _ in range(calls):
        for result in call(value, value):
            result.block_until_ready()
    least = min(least, (time.perf_counter() - started) / calls * 1e6)
print(least)
