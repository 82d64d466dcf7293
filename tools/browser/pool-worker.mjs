// A worker of a pool, as a page with a strict policy starts it.
import { servePoolWorker } from "onebuffer/pool-worker";

servePoolWorker();
