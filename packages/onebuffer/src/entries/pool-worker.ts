/** The entry `onebuffer/pool-worker`: what the module of a pool's worker calls, for pages whose policy forbids workers from blobs. */
export { servePoolWorker } from "@onebuffer/eigen";
