/** The entry `onebuffer/pool-worker`: what a worker of a ThreadPoolDevice runs, for pages whose policy forbids workers from blobs. */
export { servePoolWorker } from "@onebuffer/eigen";
