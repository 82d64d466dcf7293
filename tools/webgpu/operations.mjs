// Every operation of the op table, for every dtype that it accepts.
import { isRawDType } from "@onebuffer/base";
import { opTable } from "@onebuffer/eigen";
import { WebGpuDevice } from "@onebuffer/webgpu";
import { casesOf, tableOps } from "../interop/expression-cases.mjs";
import { mapOf } from "./cases.mjs";
import { difference } from "./compared.mjs";

/** Compares cases of each operation and dtype with the evaluator: one of `every` so many. */
export async function operationChecks(gpu, report, { only, every }) {
  const device = await WebGpuDevice.create({ gpu });
  report.note(`${JSON.stringify(device.numerics)}`);
  let count = 0;
  for (const op of tableOps) {
    if (only !== null && !only.includes(op)) continue;
    for (const dtype of opTable[op].dtypes.filter(isRawDType)) {
      for (const one of casesOf(op, dtype)) {
        if (count++ % every !== 0) continue;
        const what = `${op} ${dtype} ${one.inputs.map(({ dims }) => `[${dims}]`).join(" ")} ${JSON.stringify(one.args)}`;
        let answer;
        try {
          answer = await difference(device, one.build(one.inputs.map(mapOf)));
        } catch (error) {
          answer = { differs: `thrown: ${error.stack}` };
        }
        if (answer.agrees) report.pass();
        else if (answer.skipped !== undefined) report.skip(answer.skipped, op);
        else report.fail(what, answer.differs);
      }
    }
  }
  report.note(`${JSON.stringify(device.usage)}`);
  await device.dispose();
}
