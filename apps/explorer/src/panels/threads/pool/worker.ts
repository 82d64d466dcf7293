/** A worker of the pool of the panel "Threads". Workers from blobs, the default of a pool, are forbidden by strict policies. */
import { servePoolWorker } from "onebuffer/pool-worker";

servePoolWorker();
