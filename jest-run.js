// Runs a test file as Jest does, without a message to Jest's main process at the start and at the end of each test: the reports of this
// repository are of files.
import circus from "jest-circus/runner";

export default (globalConfig, config, environment, runtime, path) => circus.default(globalConfig, config, environment, runtime, path);
