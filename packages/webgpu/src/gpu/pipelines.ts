/**
 * Pipelines: the compiled shaders of a device by their text. Sizes, strides and constants are not in the text, so one pipeline serves all
 * expressions of one structure.
 */
import { InternalError } from "@onebuffer/base";
import type { GpuDevice } from "./gpu-types.ts";
import { kComputeStage } from "./gpu-types.ts";

/** How a shader uses a storage buffer. "add" is for targets of atomic operations. */
export type BufferAccess = "read" | "write" | "add";

/** A shader of which a pipeline can be made. */
export interface ShaderCode {
  readonly code: string;
  /** The storage buffers, which are bindings 1 and up; binding 0 is the uniform buffer. */
  readonly accesses: readonly BufferAccess[];
  /** The numbers of the uniform buffer. */
  readonly words: { readonly byteLength: number };
}

/** A compiled shader, and the layout of its bindings. */
export interface Pipeline {
  readonly pipeline: object;
  readonly layout: object;
}

/** The layout of the bindings of shaders that use buffers alike. */
interface Layouts {
  readonly bindings: object;
  readonly pipeline: object;
}

/** The pipelines of one device. */
export class Pipelines {
  readonly #device: GpuDevice;
  readonly #pipelines: Map<string, Promise<Pipeline>> = new Map();
  readonly #layouts: Map<string, Layouts> = new Map();

  constructor(device: GpuDevice) {
    this.#device = device;
  }

  /** The number of pipelines that were compiled. */
  get count(): number {
    return this.#pipelines.size;
  }

  /** Returns the pipeline of a shader. Rejects with INTERNAL if the device refuses the text. */
  get(shader: ShaderCode): Promise<Pipeline> {
    let pipeline = this.#pipelines.get(shader.code);
    if (pipeline === undefined) this.#pipelines.set(shader.code, (pipeline = this.#make(shader)));
    return pipeline;
  }

  async #make({ code, accesses, words }: ShaderCode): Promise<Pipeline> {
    const layouts = this.#layoutsOf(accesses, words.byteLength);
    const module = this.#device.createShaderModule({ code } as never);
    try {
      const pipeline = await this.#device.createComputePipelineAsync({
        layout: layouts.pipeline,
        compute: { module, entryPoint: "main" },
      } as never);
      return { pipeline, layout: layouts.bindings };
    } catch (cause) {
      this.#pipelines.delete(code);
      throw new InternalError(`WebGPU does not compile a shader: ${String((cause as Error | null)?.message)}\n${code}`, { cause });
    }
  }

  /**
   * Returns the layouts for buffers that are used alike. They name the bytes of the uniform buffer: wgpu (Deno, Firefox) would otherwise check a
   * binding by the shader before, if that has the same layout.
   */
  #layoutsOf(accesses: readonly BufferAccess[], uniformBytes: number): Layouts {
    const key = [uniformBytes, ...accesses].join();
    let layouts = this.#layouts.get(key);
    if (layouts === undefined) {
      const kinds = accesses.map((access) => ({ type: access === "read" ? "read-only-storage" : "storage", minBindingSize: 4 }));
      const entries = [{ type: "uniform", minBindingSize: uniformBytes }, ...kinds].map((buffer, binding) => ({
        binding,
        visibility: kComputeStage,
        buffer,
      }));
      const bindings = this.#device.createBindGroupLayout({ entries } as never);
      layouts = { bindings, pipeline: this.#device.createPipelineLayout({ bindGroupLayouts: [bindings] } as never) };
      this.#layouts.set(key, layouts);
    }
    return layouts;
  }
}
