/** A worker of the panel "Threads": joins the page's arena, holds its tensor, and paints rows of it. */
import { joinArena, receiveTensor, transferTensor } from "onebuffer";
import type { Tensor } from "onebuffer";
import { errorText } from "../../panel.ts";
import { kBlockRows } from "./messages.ts";
import type { Order, Report } from "./messages.ts";
import { paintRows } from "./paint.ts";

let held: Tensor<"float32"> | null = null;

const report = (message: Report, transfer: Transferable[] = []): void => (self as unknown as Worker).postMessage(message, transfer);

self.addEventListener("message", ({ data }: MessageEvent<Order>) => {
  void obey(data).catch((error: unknown) => report({ kind: "failed", error: errorText(error) }));
});

async function obey(order: Order): Promise<void> {
  if (order.kind === "join") {
    if (order.invitation !== null) await joinArena(order.invitation);
    report({ kind: "joined" });
  } else if (order.kind === "hold") {
    held?.dispose();
    held = receiveTensor(order.handle, { dtype: "float32" });
    report({ kind: "holds", holds: true });
  } else if (order.kind === "drop") {
    held?.dispose();
    held = null;
    report({ kind: "holds", holds: false });
  } else paint(order);
}

function paint(order: Extract<Order, { kind: "paint" | "paint copy" }>): void {
  const started = performance.now();
  if (order.kind === "paint") {
    if (held === null) throw new RangeError("this worker holds no tensor");
    paintRows(held.matrix(), order.from, order.from, kBlockRows, order.steps);
    report({ kind: "painted", from: order.from, milliseconds: performance.now() - started, rows: null });
    return;
  }
  const rows = receiveTensor(order.rows, { dtype: "float32" });
  paintRows(rows.matrix(), 0, order.from, kBlockRows, order.steps);
  const { message, transfer } = transferTensor(rows);
  report({ kind: "painted", from: order.from, milliseconds: performance.now() - started, rows: message }, transfer);
}
