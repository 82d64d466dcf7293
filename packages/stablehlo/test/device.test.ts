// The device: frames, shared memory, structures, and runners that misbehave. `npm run xla` tests it with JAX.
import "./device/frame.suite.ts";
import "./device/slot-list.suite.ts";
import "./device/structure-key.suite.ts";
import "./device/xla-device.suite.ts";
