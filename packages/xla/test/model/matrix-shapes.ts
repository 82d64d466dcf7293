// A matrix of 2 by 3 in either order.
import { parseShape } from "@onebuffer/xla";

export const rowMajorMatrix = parseShape("f32[2,3]{1,0}");
export const columnMajorMatrix = parseShape("f32[2,3]{0,1}");
