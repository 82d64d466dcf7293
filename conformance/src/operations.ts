/**
 * The table of all operations that the vector files may use, by name.
 */
import type { Operations } from "./operation.ts";
import { allocatorOps } from "./ops/allocator-ops.ts";
import { bfcOps } from "./ops/bfc-ops.ts";
import { dtypeOps } from "./ops/dtype-ops.ts";
import { partialShapeOps } from "./ops/partial-shape-ops.ts";
import { protoCompressOps } from "./ops/proto-compress-ops.ts";
import { protoOps } from "./ops/proto-ops.ts";
import { refCountScript } from "./ops/refcount-script.ts";
import { shapeOps } from "./ops/shape-ops.ts";
import { sliceOps } from "./ops/slice-ops.ts";
import { sliceSetOps } from "./ops/slice-set-ops.ts";
import { tensorOps } from "./ops/tensor-ops.ts";
import { tensorScript } from "./ops/tensor-script.ts";
import { tensorTextOps } from "./ops/tensor-text-ops.ts";
import { tensorUtilOps } from "./ops/tensor-util-ops.ts";
import { tensorViewOps } from "./ops/tensor-view-ops.ts";
import { trackingScript } from "./ops/tracking-script.ts";
import { xlaBufferOps } from "./ops/xla-buffer-ops.ts";
import { xlaLayoutOps } from "./ops/xla-layout-ops.ts";
import { xlaReshapeOps } from "./ops/xla-reshape-ops.ts";
import { xlaShapeOps } from "./ops/xla-shape-ops.ts";

/** All operations by name. */
export const operations: Operations = {
  ...dtypeOps,
  ...shapeOps,
  ...partialShapeOps,
  ...sliceOps,
  ...sliceSetOps,
  ...tensorOps,
  ...tensorViewOps,
  ...tensorTextOps,
  ...tensorUtilOps,
  ...tensorScript,
  ...refCountScript,
  ...allocatorOps,
  ...trackingScript,
  ...xlaBufferOps,
  ...xlaReshapeOps,
  ...xlaLayoutOps,
  ...xlaShapeOps,
  ...bfcOps,
  ...protoOps,
  ...protoCompressOps,
};
