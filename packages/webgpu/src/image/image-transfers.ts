/**
 * ImageTransfers: pictures of a page into buffers, and buffers onto canvases, without a copy in this process.
 *
 *     picture ── copyExternalImageToTexture ── texture ── shader ── buffer [height, width, 4] uint8
 *     buffer  ── shader ── texture of the canvas
 */
import { InvalidArgumentError, ResourceExhaustedError, UnimplementedError } from "@onebuffer/base";
import { checkSize } from "../gpu/gpu-limits.ts";
import type { GpuSession } from "../gpu/gpu-session.ts";
import { kElementUsage } from "../gpu/gpu-types.ts";
import type { GpuBuffer, GpuTexture } from "../gpu/gpu-types.ts";
import type { GpuContent } from "../run/gpu-content.ts";
import { madeContent } from "../run/gpu-content.ts";
import { canvasShader, kGroupPixels, kImageShader } from "./image-shaders.ts";
import { sizesOfImage } from "./image-source.ts";
import type { GpuCanvas, ImageSource, Pixels } from "./image-source.ts";

/** COPY_DST, TEXTURE_BINDING and RENDER_ATTACHMENT of GPUTextureUsage, which a copy of a picture needs; and STORAGE_BINDING. */
const kImageUsage = 2 | 4 | 16;
const kStorageUsage = 8;
/** The largest width and height of textures where a device does not say so. */
const kMostPixels = 8192;
/** The textures that are kept for further pictures. */
const kMostTextures = 4;

/** Firefox copies no frames of videos, and Chromium none without a GPU; both make bitmaps of them. */
declare function createImageBitmap(image: object): Promise<{ close(): void }>;
const isVideo = (image: object): boolean => "displayWidth" in image || "videoWidth" in image;

/** A compiled shader over a texture and a buffer (GPUComputePipeline). */
interface ImagePipeline {
  getBindGroupLayout(index: number): object;
}

/** A canvas' context of WebGPU (GPUCanvasContext). */
interface CanvasContext {
  configure(configuration: object): void;
  getCurrentTexture(): GpuTexture;
}

/** The transfers of one device of WebGPU. */
export class ImageTransfers {
  readonly #session: GpuSession;
  readonly #pipelines: Map<string, Promise<ImagePipeline>> = new Map();
  readonly #contexts: WeakMap<object, CanvasContext> = new WeakMap();
  /** Textures that no call uses. */
  #textures: GpuTexture[] = [];

  constructor(session: GpuSession) {
    this.#session = session;
  }

  /** Copies a picture, which is read before this returns, to a new buffer. */
  async fromImage(image: ImageSource): Promise<{ readonly content: GpuContent; readonly dimensions: readonly [number, number, 4] }> {
    const [height, width] = sizesOfImage(image);
    const session = this.#session;
    const bytes = width * height * 4;
    checkSize("WebGpuDevice", session.limits, bytes, bytes);
    this.#checkPixels(height, width);
    const texture = await this.#copied(image, height, width);
    try {
      const pipeline = await this.#pipeline(kImageShader);
      session.check();
      const pooled = session.pool.take(bytes, kElementUsage);
      const memory = session.pool.whether();
      this.#run(pipeline, texture, pooled.buffer, { height, width });
      if (this.#textures.push(texture) > kMostTextures) this.#textures.shift()!.destroy();
      return { content: madeContent(pooled.buffer, pooled, memory), dimensions: [height, width, 4] };
    } catch (error) {
      texture.destroy();
      throw error;
    }
  }

  /** Draws the elements of a buffer to a canvas, which gets their sizes. */
  async draw({ buffer, pending }: GpuContent, dtype: "float32" | "uint8", pixels: Pixels, canvas: GpuCanvas): Promise<void> {
    this.#checkPixels(pixels.height, pixels.width);
    const context = this.#contextOf(canvas);
    const pipeline = await this.#pipeline(canvasShader(dtype, pixels));
    this.#session.check();
    if (canvas.width !== pixels.width) canvas.width = pixels.width;
    if (canvas.height !== pixels.height) canvas.height = pixels.height;
    this.#run(pipeline, context.getCurrentTexture(), buffer, pixels);
    await pending;
  }

  /** Destroys the textures. */
  close(): void {
    for (const texture of this.#textures) texture.destroy();
    this.#textures = [];
  }

  #checkPixels(height: number, width: number): void {
    const { maxTextureDimension2D: most = kMostPixels } = this.#session.device.limits as { readonly maxTextureDimension2D?: number };
    if (Math.max(height, width) > most)
      throw new ResourceExhaustedError(`WebGpuDevice has no pictures of ${width} by ${height} pixels: at most ${most} by ${most}`);
  }

  /** Returns a texture with a copy of a picture, which is read before this returns. */
  async #copied(image: ImageSource, height: number, width: number): Promise<GpuTexture> {
    const { device } = this.#session;
    if (device.createTexture === undefined || device.queue.copyExternalImageToTexture === undefined)
      throw new UnimplementedError("fromImage: WebGPU copies no pictures here, it does in browsers");
    const at = this.#textures.findIndex((each) => each.width === width && each.height === height);
    const texture =
      at >= 0
        ? this.#textures.splice(at, 1)[0]!
        : device.createTexture({ size: [width, height], format: "rgba8unorm", usage: kImageUsage } as never);
    const copy = (source: object): void =>
      device.queue.copyExternalImageToTexture!({ source } as never, { texture } as never, [width, height] as never);
    try {
      try {
        copy(image);
      } catch (error) {
        if (!isVideo(image)) throw error;
        const bitmap = await createImageBitmap(image);
        copy(bitmap);
        bitmap.close();
      }
      return texture;
    } catch (cause) {
      texture.destroy();
      throw new InvalidArgumentError(`fromImage: the picture cannot be copied: ${String((cause as Error | null)?.message)}`, { cause });
    }
  }

  /** Returns the context of a canvas, which is configured for this device once. */
  #contextOf(canvas: GpuCanvas): CanvasContext {
    let context = this.#contexts.get(canvas);
    if (context !== undefined) return context;
    context = (canvas.getContext("webgpu") ?? undefined) as CanvasContext | undefined;
    if (context === undefined)
      throw new InvalidArgumentError("draw: the canvas has a context of another kind, or WebGPU draws to none here");
    context.configure({ device: this.#session.device, format: "rgba8unorm", usage: kStorageUsage, alphaMode: "opaque" });
    this.#contexts.set(canvas, context);
    return context;
  }

  #pipeline(code: string): Promise<ImagePipeline> {
    let pipeline = this.#pipelines.get(code);
    if (pipeline === undefined) {
      const { device } = this.#session;
      const compute = { module: device.createShaderModule({ code } as never), entryPoint: "main" };
      const made = device.createComputePipelineAsync({ layout: "auto", compute } as never) as Promise<ImagePipeline>;
      pipeline = made.catch(async (error: unknown) => {
        this.#pipelines.delete(code);
        throw await this.#session.errorOf(error);
      });
      this.#pipelines.set(code, pipeline);
    }
    return pipeline;
  }

  /** Runs a shader for each pixel. */
  #run(
    pipeline: ImagePipeline,
    texture: GpuTexture,
    buffer: GpuBuffer,
    { height, width }: { readonly height: number; readonly width: number },
  ): void {
    const session = this.#session;
    const entries = [
      { binding: 0, resource: texture.createView() },
      { binding: 1, resource: { buffer } },
    ];
    const group = session.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries } as never);
    const encoder = session.encoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(width / kGroupPixels), height, 1);
    pass.end();
    session.submit(encoder);
  }
}
