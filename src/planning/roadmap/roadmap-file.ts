// Roadmaps as bytes: a head of 16 bytes (name, version, length of the header, CRC-32 of all that follows), a header in JSON,
// then nodes, blockers, edges and their states in little-endian arrays. What a file claims is never a proof: nodes and
// edges are tested again before a path uses them.
import { nameValue } from '../../core/check/check-options.js';
import { crc32 } from '../../core/crc32.js';
import { NearfieldError } from '../../core/errors.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { CLAIMED, FAILED, UNKNOWN } from './edge-list.js';
import type { SampledRoadmap } from './sampled-roadmap.js';
import { SAMPLERS, type SamplerName } from './sampler.js';

/** Layout: the first four bytes of a roadmap file: 'NFRM'. */
const MAGIC = 0x4d52464e;

/** Label: the version of the file that is written, and the only one that is read. */
const VERSION = 1;

/** Layout: the count of bytes before the description. */
const HEAD = 16;

interface Header {
  readonly scene: string;
  readonly sampler: SamplerName;
  readonly seed: number;
  /** Calls that drew random numbers so far. */
  readonly draws: number;
  readonly size: number;
  readonly nodes: number;
  readonly edges: number;
  /** Where the obstacles are. */
  readonly poses: readonly (readonly number[])[];
}

/** A roadmap's settings, beside nodes and edges. */
export type RoadmapSettings = Pick<Header, 'sampler' | 'seed' | 'draws'>;

export function writeRoadmap({ scene, nodes, edges, blockers }: SampledRoadmap, settings: RoadmapSettings): Uint8Array {
  const header: Header = {
    scene: fingerprint(scene),
    ...settings,
    size: scene.size,
    nodes: nodes.count,
    edges: edges.count,
    poses: scene.obstacles.map(({ pose }) => [...pose]),
  };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(HEAD + json.length + bodyLength(header));
  const view = new DataView(bytes.buffer);
  bytes.set(json, HEAD);
  let at = HEAD + json.length;
  for (let node = 0; node < nodes.count; node++) {
    for (const value of nodes.at(node)) {
      view.setFloat64(at, value, true);
      at += 8;
    }
  }
  for (const list of [blockers, edges.from, edges.to, edges.blockers]) {
    for (const value of list) {
      view.setInt32(at, value, true);
      at += 4;
    }
  }
  for (const state of edges.states) bytes[at++] = state;
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  view.setUint32(8, json.length, true);
  view.setUint32(12, crc32(bytes.subarray(HEAD)), true);
  return bytes;
}

/** A file that was read, to be put into a roadmap of the same scene. */
export interface RoadmapFile {
  readonly header: Header;
  readonly body: Uint8Array;
}

/** Reads the head and the header, and checks everything that can be checked without the scene. */
export function readRoadmapFile(bytes: Uint8Array): RoadmapFile {
  if (!(bytes instanceof Uint8Array)) {
    throw new NearfieldError(
      'bad-argument',
      `The roadmap is ${nameValue(bytes)}; give the bytes that save() returned.`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD) throw truncated(bytes.length, HEAD);
  if (view.getUint32(0, true) !== MAGIC) {
    throw new NearfieldError('file-format', 'The bytes are no roadmap: they do not begin with NFRM.');
  }
  const version = view.getUint32(4, true);
  if (version !== VERSION) {
    throw new NearfieldError('file-format', `The roadmap has version ${version}; this library reads ${VERSION}.`);
  }
  const length = view.getUint32(8, true);
  if (HEAD + length > bytes.length) throw truncated(bytes.length, HEAD + length);
  if (crc32(bytes.subarray(HEAD)) !== view.getUint32(12, true)) {
    throw new NearfieldError(
      'file-format',
      'The roadmap is damaged or cut off: its checksum does not fit. Save it again.',
    );
  }
  const header = readHeader(bytes.subarray(HEAD, HEAD + length));
  const wanted = HEAD + length + bodyLength(header);
  if (bytes.length !== wanted) throw truncated(bytes.length, wanted);
  return { header, body: bytes.subarray(HEAD + length) };
}

/** Puts nodes and edges of a file into an empty roadmap. */
export function fillRoadmap(roadmap: SampledRoadmap, { header, body }: RoadmapFile): void {
  const { scene, edges } = roadmap;
  if (header.scene !== fingerprint(scene) || header.poses.length !== scene.obstacles.length) {
    throw new NearfieldError(
      'bad-argument',
      'The roadmap was made for another scene: robots, bounds, clearance or meshes differ. Build one for this scene.',
    );
  }
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const { nodes, size } = header;
  const ints = 8 * nodes * size;
  const q = new Float64Array(size);
  for (let node = 0; node < nodes; node++) {
    for (let k = 0; k < size; k++) q[k] = view.getFloat64(8 * (node * size + k), true);
    const blocker = view.getInt32(ints + 4 * node, true);
    if (!q.every(Number.isFinite) || blocker < -1 || blocker >= scene.obstacles.length) throw wrong(`node ${node}`);
    roadmap.append(q, blocker, 0, false);
  }
  const edgeAt = (list: number, edge: number): number => {
    return view.getInt32(ints + 4 * (nodes + list * header.edges + edge), true);
  };
  const states = ints + 4 * (nodes + 3 * header.edges);
  for (let edge = 0; edge < header.edges; edge++) {
    const [a, b, blocker] = [edgeAt(0, edge), edgeAt(1, edge), edgeAt(2, edge)];
    const state = body[states + edge];
    const areNodes = a >= 0 && b >= 0 && a < nodes && b < nodes && a !== b;
    if (!areNodes || blocker < -1 || blocker >= scene.obstacles.length || state > CLAIMED) throw wrong(`edge ${edge}`);
    const length = scene.separation(roadmap.nodes.at(a), roadmap.nodes.at(b));
    edges.add(a, b, length, state === FAILED || state === UNKNOWN ? state : CLAIMED, blocker);
  }
  roadmap.refresh();
}

/** What a roadmap depends on, but for the places of obstacles. */
function fingerprint(scene: CollisionScene): string {
  const marks: unknown[] = [scene.clearance, scene.size];
  const markMesh = ({ positions, indices }: { positions: Float64Array; indices: Uint32Array }): void => {
    for (const array of [positions, indices]) {
      marks.push(array.length, crc32(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)));
    }
  };
  const zero = new Float64Array(scene.size);
  for (const robot of scene.robots) {
    const { bounds, joints, axes } = robot as { bounds?: unknown; joints?: unknown; axes?: unknown };
    marks.push(bounds ?? null, joints ?? null, axes ?? null, robot.linkPairs);
    for (const { model } of robot.links) markMesh(model.mesh);
  }
  marks.push([...scene.posesAt(zero)]);
  for (const { model } of scene.obstacles) markMesh(model.mesh);
  const text = new TextEncoder().encode(JSON.stringify(marks));
  return `${text.length}-${crc32(text).toString(16)}`;
}

function readHeader(bytes: Uint8Array): Header {
  let header: Header;
  try {
    header = JSON.parse(new TextDecoder().decode(bytes)) as Header;
  } catch {
    throw wrong('header');
  }
  const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
  const counts = [header?.seed, header?.draws, header?.size, header?.nodes, header?.edges];
  const arePoses =
    Array.isArray(header?.poses) &&
    header.poses.every((pose) => Array.isArray(pose) && pose.length === 7 && pose.every(Number.isFinite));
  if (!counts.every(isCount) || !arePoses || !SAMPLERS.includes(header.sampler)) throw wrong('header');
  return header;
}

function bodyLength({ nodes, edges, size }: Header): number {
  return nodes * (8 * size + 4) + edges * 13;
}

function truncated(have: number, want: number): NearfieldError {
  return new NearfieldError('file-truncated', `The roadmap has ${have} bytes in place of ${want}. Save it again.`);
}

function wrong(what: string): NearfieldError {
  return new NearfieldError('file-format', `The roadmap is damaged: its ${what} makes no sense. Save it again.`);
}
