// GLB files whose geometry is compressed, made by the encoders of meshoptimizer and of Draco.
import draco3d from 'draco3d';
import { MeshoptEncoder } from 'meshoptimizer';
import { type GltfParts, type PlainMesh, packBuffers, simpleGltf } from './model-files.js';

interface MeshoptRun {
  readonly extension: 'EXT_meshopt_compression' | 'KHR_meshopt_compression';
  readonly version: 0 | 1;
  /** How indices are compressed. */
  readonly mode: 'TRIANGLES' | 'INDICES';
  /** Bytes of an index. */
  readonly indexBytes: 2 | 4;
  /** Keep positions in single precision with this many bits of the exponential filter. */
  readonly filterBits?: number;
}

/** A part whose positions and indices are compressed with meshopt. */
export async function meshoptGltf(mesh: PlainMesh, run: MeshoptRun): Promise<GltfParts> {
  await MeshoptEncoder.ready;
  const gltf = simpleGltf(mesh);
  const count = mesh.positions.length / 3;
  const floats = Float32Array.from(mesh.positions);
  const raw =
    run.filterBits === undefined
      ? new Uint8Array(floats.buffer)
      : MeshoptEncoder.encodeFilterExp(floats, count, 12, run.filterBits);
  const level = MeshoptEncoder.encodeVertexBufferLevel(raw, count, 12, 2, run.version);
  const ids = run.indexBytes === 2 ? Uint16Array.from(mesh.indices) : Uint32Array.from(mesh.indices);
  const idBytes = new Uint8Array(ids.buffer);
  const compressedIds =
    run.mode === 'TRIANGLES'
      ? MeshoptEncoder.encodeIndexBuffer(idBytes, ids.length, run.indexBytes)
      : MeshoptEncoder.encodeIndexSequence(idBytes, ids.length, run.indexBytes);
  const { binary, bufferViews } = packBuffers(level, compressedIds);
  const views = bufferViews as { byteOffset: number; byteLength: number }[];
  const view = (k: number, byteLength: number, more: object) => ({
    buffer: 1,
    byteOffset: 0,
    byteLength,
    extensions: {
      [run.extension]: { buffer: 0, byteOffset: views[k].byteOffset, byteLength: views[k].byteLength, ...more },
    },
  });
  const filter = run.filterBits === undefined ? {} : { filter: 'EXPONENTIAL' };
  gltf.json.bufferViews = [
    view(0, 12 * count, { byteStride: 12, count, mode: 'ATTRIBUTES', ...filter }),
    view(1, idBytes.length, { byteStride: run.indexBytes, count: ids.length, mode: run.mode }),
  ];
  gltf.json.accessors[1].componentType = run.indexBytes === 2 ? 5123 : 5125;
  gltf.json.buffers = [
    { byteLength: binary.length },
    { byteLength: 12 * count + idBytes.length, extensions: { [run.extension]: { fallback: true } } },
  ];
  gltf.json.extensionsUsed = gltf.json.extensionsRequired = [run.extension];
  return { json: gltf.json, binary };
}

/** A part whose positions and indices are compressed with Draco, without loss. */
export async function dracoGltf(mesh: PlainMesh): Promise<GltfParts> {
  const draco = await draco3d.createEncoderModule({});
  const encoder = new draco.Encoder();
  const builder = new draco.MeshBuilder();
  const target = new draco.Mesh();
  const floats = Float32Array.from(mesh.positions);
  builder.AddFacesToMesh(target, mesh.indices.length / 3, Uint32Array.from(mesh.indices));
  const id = builder.AddFloatAttributeToMesh(target, draco.POSITION, floats.length / 3, 3, floats);
  const output = new draco.DracoInt8Array();
  const length = encoder.EncodeMeshToDracoBuffer(target, output);
  const bytes = Uint8Array.from({ length }, (_, i) => output.GetValue(i));
  const gltf = simpleGltf(mesh);
  const { binary, bufferViews } = packBuffers(bytes);
  for (const accessor of gltf.json.accessors) delete accessor.bufferView;
  gltf.json.bufferViews = bufferViews;
  gltf.json.buffers = [{ byteLength: binary.length }];
  gltf.json.meshes[0].primitives[0].extensions = {
    KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: id } },
  };
  gltf.json.extensionsUsed = gltf.json.extensionsRequired = ['KHR_draco_mesh_compression'];
  return { json: gltf.json, binary };
}
