/**
 * The shaders between pictures and buffers. One invocation is one pixel; a workgroup is a part of a row.
 */
import type { Pixels } from "./image-source.ts";

/** The pixels of a workgroup. */
export const kGroupPixels = 64;

/** The beginning of a shader that is run for each pixel of a texture. */
const kMain = (texture: string): string => `@compute @workgroup_size(${kGroupPixels})
fn main(@builtin(global_invocation_id) at: vec3<u32>) {
  let size = textureDimensions(${texture});
  if (at.x >= size.x) { return; }
  let pixel = at.y * size.x + at.x;`;

/** Stores the pixels of a texture as words, the red in the lowest byte. */
export const kImageShader: string = `@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> pixels: array<u32>;
${kMain("image")}
  pixels[pixel] = pack4x8unorm(textureLoad(image, at.xy, 0));
}`;

/** How an element is a level from 0 to 1. Float levels are rounded here: the conversion of the texture may round either way. */
const kLevels = {
  float32: `let x = bitcast<f32>(pixels[index]);
  return floor(select(0f, min(x, 1f), x > 0f) * 255f + 0.5f) / 255f;`,
  uint8: "return f32(extractBits(pixels[index >> 2u], (index & 3u) * 8u, 8u)) / 255f;",
} as const;

/** Returns the shader that stores elements as pixels of a canvas. */
export function canvasShader(dtype: keyof typeof kLevels, { channels }: Pixels): string {
  const color = [0, 1, 2].map((k) => `level(pixel * ${channels}u${channels === 1 ? "" : ` + ${k}u`})`).join(", ");
  return `@group(0) @binding(0) var canvas: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
fn level(index: u32) -> f32 {
  ${kLevels[dtype]}
}
${kMain("canvas")}
  textureStore(canvas, at.xy, vec4<f32>(${color}, 1f));
}`;
}
