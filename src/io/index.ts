/**
 * Reading and writing model files (OBJ, STL, PLY, OFF, glTF and GLB), NumPy arrays and PNG images.
 * @module io
 */
export {
  createModel,
  type LinearColor,
  type MeshGroup,
  type ModelFile,
  type ModelMesh,
  type ModelPart,
  mergeModel,
} from './model-file.js';
export { detectFormat, formatOfFileName, MODEL_FORMATS, type ModelFormat } from './model-format.js';
export { type NpyArray, type NpyValues, readNpy, writeNpy } from './npy.js';
export type { PngImage } from './png-image.js';
export { type ReadModelOptions, readModel } from './read-model.js';
export { readObj } from './read-obj.js';
export { readOff } from './read-off.js';
export type { ReadOptions } from './read-options.js';
export { readPly } from './read-ply.js';
export { readPng } from './read-png.js';
export { readStl } from './read-stl.js';
export { OUTPUT_FORMATS, type OutputFormat, type WriteOptions, writeModel } from './write-model.js';
export { writeObj } from './write-obj.js';
export { writeOff } from './write-off.js';
export { writePly, writePlyText } from './write-ply.js';
export { writePng } from './write-png.js';
export { writeStl, writeStlText } from './write-stl.js';
