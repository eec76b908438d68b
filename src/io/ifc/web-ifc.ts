// What is used of the optional package web-ifc.

/** The exports of the package. */
export interface WebIfcPackage {
  readonly IfcAPI: new () => WebIfcApi;
  readonly LogLevel: { readonly LOG_LEVEL_OFF: number };
  readonly IFCRELCONTAINEDINSPATIALSTRUCTURE: number;
  readonly IFCRELAGGREGATES: number;
  readonly IFCBUILDINGSTOREY: number;
}

/** The kernel. Models and entities have numbers. */
export interface WebIfcApi {
  Init(): Promise<void>;
  Dispose(): void;
  SetLogLevel(level: number): void;
  OpenModel(bytes: Uint8Array, settings: object): number;
  IsModelOpen(model: number): boolean;
  StreamAllMeshes(model: number, visit: (product: FlatMesh, index?: number, total?: number) => void): void;
  GetGeometry(model: number, id: number): IfcGeometry;
  GetVertexArray(pointer: number, size: number): Float32Array;
  GetIndexArray(pointer: number, size: number): Uint32Array;
  GetLine(model: number, id: number): IfcLine;
  GetLineType(model: number, id: number): number;
  GetNameFromTypeCode(type: number): string;
  GetLineIDsWithType(model: number, type: number): IfcVector<number>;
}

/** A list in the kernel's memory. */
export interface IfcVector<Item> {
  size(): number;
  get(index: number): Item;
}

/** A product and its pieces. */
export interface FlatMesh {
  readonly expressID: number;
  readonly geometries: IfcVector<PlacedGeometry>;
}

/** A shape and its place in the world, by columns. */
export interface PlacedGeometry {
  readonly geometryExpressID: number;
  readonly flatTransformation: ArrayLike<number>;
  readonly color: { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
}

/** Triangles in the kernel's memory. */
export interface IfcGeometry {
  GetVertexData(): number;
  GetVertexDataSize(): number;
  GetIndexData(): number;
  GetIndexDataSize(): number;
  delete(): void;
}

/** An entity of the file. */
export type IfcLine = { readonly [attribute: string]: unknown };
