// Small meshes and files for the tests of src/io, made without the code under test.

export interface PlainMesh {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function joinBytes(...chunks: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

/** A unit cube of 8 vertices and 12 triangles, outward. */
export function cubeMesh(scale = 1): PlainMesh {
  const positions = Float64Array.from({ length: 24 }, (_, i) => scale * ((Math.floor(i / 3) >> (i % 3)) & 1));
  const faces = [
    0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
  ];
  return { positions, indices: Uint32Array.from(faces) };
}

/** A torus of rings × sides vertices with coordinates that need all their digits. */
export function torusMesh(rings: number, sides: number, scale = 1): PlainMesh {
  const positions = new Float64Array(3 * rings * sides);
  const indices = new Uint32Array(6 * rings * sides);
  for (let i = 0; i < rings; i++) {
    for (let j = 0; j < sides; j++) {
      const u = (2 * Math.PI * i) / rings;
      const v = (2 * Math.PI * j) / sides;
      const id = i * sides + j;
      positions[3 * id] = scale * (3 + Math.cos(v)) * Math.cos(u);
      positions[3 * id + 1] = scale * (3 + Math.cos(v)) * Math.sin(u);
      positions[3 * id + 2] = scale * Math.sin(v);
      const right = ((i + 1) % rings) * sides + j;
      const up = i * sides + ((j + 1) % sides);
      const both = ((i + 1) % rings) * sides + ((j + 1) % sides);
      indices.set([id, right, both, id, both, up], 6 * id);
    }
  }
  return { positions, indices };
}

/** A binary STL file; `header` fills the first 80 bytes. */
export function binaryStl(
  triangles: readonly (readonly number[])[],
  header = 'test',
  count = triangles.length,
): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * triangles.length);
  bytes.set(bytesOf(header).subarray(0, 80));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  triangles.forEach((corners, i) => {
    corners.forEach((value, j) => {
      view.setFloat32(84 + 50 * i + 12 + 4 * j, value, true);
    });
  });
  return bytes;
}

export interface GltfParts {
  // biome-ignore lint/suspicious/noExplicitAny: tests build wrong JSON on purpose
  json: any;
  binary: Uint8Array;
}

/** A GLB file from its parts. */
export function packTestGlb({ json, binary }: GltfParts): Uint8Array {
  const text = bytesOf(JSON.stringify(json));
  const textLength = (text.length + 3) & ~3;
  const binaryLength = (binary.length + 3) & ~3;
  const bytes = new Uint8Array(28 + textLength + binaryLength).fill(0x20, 20, 20 + textLength);
  const words = new DataView(bytes.buffer);
  const set = (offset: number, value: number) => words.setUint32(offset, value, true);
  set(0, 0x46546c67);
  set(4, 2);
  set(8, bytes.length);
  set(12, textLength);
  set(16, 0x4e4f534a);
  bytes.set(text, 20);
  set(20 + textLength, binaryLength);
  set(24 + textLength, 0x004e4942);
  bytes.set(binary, 28 + textLength);
  return bytes;
}

/** Lays typed arrays after each other, each at a multiple of four bytes, and makes their buffer views. */
export function packBuffers(...arrays: ArrayBufferView[]): { binary: Uint8Array; bufferViews: object[] } {
  const bufferViews: object[] = [];
  const chunks: Uint8Array[] = [];
  let byteOffset = 0;
  for (const array of arrays) {
    bufferViews.push({ buffer: 0, byteOffset, byteLength: array.byteLength });
    const padded = new Uint8Array((array.byteLength + 3) & ~3);
    padded.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    chunks.push(padded);
    byteOffset += padded.length;
  }
  return { binary: joinBytes(...chunks), bufferViews };
}

/** A glTF of one mesh, one node: the beginning of most tests. */
export function simpleGltf(mesh: PlainMesh): GltfParts {
  const { binary, bufferViews } = packBuffers(Float32Array.from(mesh.positions), Uint16Array.from(mesh.indices));
  return {
    json: {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ name: 'part', mesh: 0 }],
      meshes: [{ name: 'shape', primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: mesh.positions.length / 3, type: 'VEC3' },
        { bufferView: 1, componentType: 5123, count: mesh.indices.length, type: 'SCALAR' },
      ],
      bufferViews,
      buffers: [{ byteLength: binary.length }],
    },
    binary,
  };
}
