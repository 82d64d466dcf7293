/** @onebuffer/adapters: arrays of other libraries and pictures of browsers as tensors and maps, and back. */
export { drawToCanvas, mapFromCanvas } from "./canvas.ts";
export type { CanvasLike, CanvasOptions } from "./canvas.ts";
export { mapFromImage, toImage } from "./image.ts";
export type { ImageBytes, ImageLike, ImageOptions } from "./image.ts";
export { readVideoFrame, toVideoFrameParts } from "./video-frame.ts";
export type { VideoFrameLike, VideoFrameOptions, VideoFrameParts, VideoPixels } from "./video-frame.ts";
export type { ExportSource } from "./exported-array.ts";
export { mapFromNdarray, tensorFromNdarray, toNdarray } from "./ndarray.ts";
export type { ImportOptions, NdarrayLike } from "./ndarray.ts";
export { tensorFromOnnx, toOnnxTensor } from "./onnx-tensor.ts";
export type { OnnxExportOptions, OnnxTensorConstructor, OnnxTensorLike } from "./onnx-tensor.ts";
export { mapFromStridedArray, tensorFromStridedArray, toStridedArray } from "./strided-array.ts";
export type { ExportOptions, StridedArray } from "./strided-array.ts";
export { mapFromZarrChunk, tensorFromZarrChunk, toZarrChunk } from "./zarr-chunk.ts";
export type { ZarrChunkLike } from "./zarr-chunk.ts";
