/**
 * Reads model files (OBJ, STL, PLY, OFF, glTF, COLLADA, 3MF, and by optional packages STEP, IGES and IFC) and writes them, SVG drawings, NumPy arrays and PNG images.
 * @module io
 */

export { type NpyArray, type NpyValues, readNpy, writeNpy } from './array/npy.js';
export { type ReadBcf, type ReadTopic, readBcf } from './bcf/read-bcf.js';
export type { BcfComment, BcfComponent } from './bcf/write-bcf.js';
export { polygonsFromSvg, type SvgPolygon, type SvgPolygonOptions } from './drawing/polygons-from-svg.js';
export { readSvg } from './drawing/read-svg.js';
export type {
  SvgArc,
  SvgBezier,
  SvgCurve,
  SvgDrawing,
  SvgShape,
  SvgSubpath,
} from './drawing/svg-drawing.js';
export type { PngImage } from './image/png-image.js';
export { readPng } from './image/read-png.js';
export { writePng } from './image/write-png.js';
export type { ModelAnimation, PartTrack } from './model/model-animation.js';
export {
  createModel,
  type LinearColor,
  type MeshGroup,
  type ModelFile,
  type ModelMesh,
  type ModelMotion,
  type ModelPart,
  mergeModel,
  type PartFacts,
} from './model/model-file.js';
export { detectFormat, formatOfFileName, MODEL_FORMATS, type ModelFormat } from './model/model-format.js';
export { type ReadModelOptions, readModel } from './model/read-model.js';
export { CHORD_ERROR } from './model/read-options.js';
export { OUTPUT_FORMATS, type OutputFormat, type WriteOptions, writeModel } from './model/write-model.js';
export type { PeerImports, PeerPackage } from './peer/load-peer.js';
export { REPORT_COLORS, type ReportColor, type ThemedColor } from './report/report-colors.js';
