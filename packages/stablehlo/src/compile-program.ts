/**
 * compileProgram: expressions as a program of the runner.
 */
import type { DType } from "@onebuffer/base";
import { DataLossError, InternalError } from "@onebuffer/base";
import type { OperandLike } from "@onebuffer/eigen";
import type { ArraySpec, ProgramSource } from "@onebuffer/eigen/internal";
import { answeredList } from "./device/answered-list.ts";
import { kRequest, words } from "./device/frame.ts";
import type { RunnerProcess } from "./device/runner-process.ts";
import type { Sharding } from "./text/sharding.ts";
import { toStableHLO } from "./to-stable-hlo.ts";

/**
 * Has the runner compile expressions as program `number`. Returns the sharding of each result, null for one that is none of the mesh.
 * Rejects with what toStableHLO throws and the compiler answers.
 */
export async function compileProgram(
  runner: RunnerProcess,
  number: number,
  { trees, leaves, operands, results }: ProgramSource<Sharding>,
): Promise<readonly (Sharding | null)[]> {
  const module = toStableHLO(trees as unknown as OperandLike<DType, number>[], { checks: true, locations: false });
  if (module.leaves.some(({ operand }, k) => (operand as unknown) !== leaves[k]))
    throw new InternalError("XlaDevice: leaves in another order");
  const header = { program: number, arguments: operands.map(described), results: results.map(described), checks: module.checks };
  const json = Buffer.from(JSON.stringify(header));
  const answer = await runner.request(kRequest.compile, words([json.length]), json, Buffer.from(module.text));
  return shardingsOf(answer, trees.length);
}

const described = ({ dtype, dimensions, placement }: ArraySpec<Sharding>): object => ({ dtype, dims: dimensions, sharding: placement });

function shardingsOf(answer: Uint8Array, count: number): readonly (Sharding | null)[] {
  const shardings = answeredList<Sharding | null>(answer, "shardings");
  if (shardings.length < count) throw new DataLossError("XlaDevice: the runner's answer lacks shardings");
  return shardings.slice(0, count);
}
