// Tests of devices. The suites run in one file so that the library is loaded only once.
import "./backend/structure-key.suite.ts";
import "./device/devices.suite.ts";
import "./device/given-workers.suite.ts";
import "./device/pool-account.suite.ts";
import "./device/pool-records.suite.ts";
import "./device/pool-road.suite.ts";
import "./device/thread-pool.suite.ts";
import "./device/worker-deaths.suite.ts";
import "./resident/backend-device.suite.ts";
