// The text of modules, and the device: frames, shared memory, and runners that misbehave. `npm run xla` tests the device with
// JAX.
import "./modules.suite.ts";
import "./refusals.suite.ts";
import "./device/draw-shards.suite.ts";
import "./device/frame.suite.ts";
import "./device/slot-list.suite.ts";
import "./device/xla-capabilities.suite.ts";
import "./device/xla-device.suite.ts";
