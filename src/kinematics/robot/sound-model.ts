// Models of meshes as people have them: a mesh that bounds no solid as it is, such as one whose every face stands twice, is
// made sound first. Where that moves the surface, the faces as they were given are part of the model as well, as sheets
// with two sides: what is proven free for the model is free for the solid and for the given mesh.
import type { Part } from '../../core/derived-parts.js';
import { type Mesh, vertexCount } from '../../mesh/mesh.js';
import { makeSound, type SoundMesh } from '../../mesh/soundness/make-sound.js';
import { ProximityModel } from '../../proximity/proximity-model.js';

/** Makes the model of a body; the name is for messages. */
export type ModelOf = (mesh: Mesh, name: string) => ProximityModel;

/** The mesh as it is. */
export const plainModel: ModelOf = (mesh) => new ProximityModel(mesh);

/** A model, and what to say of its mesh. */
export interface SoundModel {
  readonly model: ProximityModel;
  /** A sentence for each change of the mesh. */
  readonly changes: readonly string[];
  /** Why the mesh bounds no solid; null if it does. */
  readonly fault: string | null;
}

export function makeSoundModel(mesh: Mesh): SoundModel {
  const sound = makeSound(mesh);
  if (!sound.closed) return { model: new ProximityModel(mesh), changes: [], fault: describeOpen(sound) };
  if (sound.tolerance === 0) return { model: new ProximityModel(sound.mesh), changes: sound.done, fault: null };
  const over = `The surface was closed over at most ${sound.tolerance.toPrecision(2)} m; the faces as given are tested too.`;
  const model = new ProximityModel(withGivenFaces(sound, mesh));
  model.parts.set(SOLID, { model: new ProximityModel(sound.mesh) });
  return { model, changes: [...sound.done, over], fault: null };
}

/**
 * @param notes takes a sentence for each change of the mesh.
 * @param warnsOfOpen whether a mesh that stays open gets a sentence too.
 */
export function soundModel(mesh: Mesh, name: string, notes: string[], warnsOfOpen: boolean): ProximityModel {
  return noteSoundModel(makeSoundModel(mesh), name, notes, warnsOfOpen);
}

/** The model; the notes get its sentences, with the name of the body before each. */
export function noteSoundModel(made: SoundModel, name: string, notes: string[], warnsOfOpen: boolean): ProximityModel {
  for (const sentence of made.changes) notes.push(`${name}: ${sentence}`);
  if (warnsOfOpen && made.fault !== null) notes.push(`${name}: ${made.fault}`);
  return made.model;
}

/**
 * The solid that guides what goes by contacts: of a model that also has faces as they were given the sound one, of an open
 * one that with its holes filled, where that closes it; others are their own. It proves nothing of an open model.
 */
export function solidOf(model: ProximityModel): ProximityModel {
  return model.parts.get(SOLID).model ?? model;
}

/** Chosen: holes with more edges than this are not filled: they are openings on purpose, and take long. */
const MAX_HOLE_EDGES = 300;

const SOLID: Part<ProximityModel, { readonly model: ProximityModel | null }> = {
  name: 'solid',
  make: ({ mesh, closed }) => {
    if (closed) return { model: null };
    const filled = makeSound(mesh, { fillHoles: { maxEdges: MAX_HOLE_EDGES } });
    return { model: filled.closed ? new ProximityModel(filled.mesh) : null };
  },
  bytes: ({ model }) => model?.parts.bytes ?? 0,
};

function describeOpen({ openEdges }: SoundMesh): string {
  const fault = openEdges === 0 ? 'encloses no volume' : `is open at ${openEdges} edges`;
  return `The mesh ${fault} and counts as a surface: what is inside of it does not collide, and no proof that there is no path can use it.`;
}

/** The sound mesh with both sides of every given face that it has not with the same corners. */
function withGivenFaces({ mesh, sourceFaces }: SoundMesh, given: Mesh): Mesh {
  const isKept = new Uint8Array(given.indices.length / 3);
  sourceFaces.forEach((source, face) => {
    if (source >= 0 && haveSameCorners(mesh, face, given, source)) isKept[source] = 1;
  });
  const first = vertexCount(mesh);
  const sheets: number[] = [];
  for (let face = 0; face < isKept.length; face++) {
    if (isKept[face] === 1) continue;
    const [a, b, c] = Array.from(given.indices.subarray(3 * face, 3 * face + 3), (vertex) => first + vertex);
    // A face that names a vertex twice has no area: its sides are sides of others.
    if (a !== b && b !== c && c !== a) sheets.push(a, b, c, a, c, b);
  }
  const positions = new Float64Array(mesh.positions.length + given.positions.length);
  positions.set(mesh.positions);
  positions.set(given.positions, mesh.positions.length);
  return { positions, indices: Uint32Array.from([...mesh.indices, ...sheets]) };
}

/** Whether each corner of one face is one of the other. */
function haveSameCorners(a: Mesh, faceA: number, b: Mesh, faceB: number): boolean {
  for (let i = 3 * faceA; i < 3 * faceA + 3; i++) {
    let isShared = false;
    for (let j = 3 * faceB; j < 3 * faceB + 3; j++) isShared ||= isSamePoint(a, a.indices[i], b, b.indices[j]);
    if (!isShared) return false;
  }
  return true;
}

function isSamePoint(a: Mesh, i: number, b: Mesh, j: number): boolean {
  for (let k = 0; k < 3; k++) if (a.positions[3 * i + k] !== b.positions[3 * j + k]) return false;
  return true;
}
