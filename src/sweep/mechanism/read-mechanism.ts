// Mechanisms from JSON files. Every refusal says where: "joints[2].axis is …".

import { JsonPlace } from '../../core/check/json-place.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Mechanism } from './mechanism-description.js';

/** How the files that a mechanism names are read. */
export interface ReadMechanismOptions {
  /** Reads the mesh of a file, by its name in the mechanism. */
  readonly loadMesh: (file: string) => Mesh | Promise<Mesh>;
}

const READ_OPTIONS = optionTable<ReadMechanismOptions>()({
  loadMesh: checkedElsewhere<ReadMechanismOptions['loadMesh']>(),
});

const KEYS = ['format', 'version', 'name', 'unit', 'parts', 'joints', 'couplings', 'loops', 'allowed', 'clearance'];

/**
 * Reads a mechanism from the text of a nearfield-mechanism file.
 * @throws NearfieldError that says which key is wrong, and what to do.
 */
export async function readMechanism(text: string, options: ReadMechanismOptions): Promise<Mechanism> {
  READ_OPTIONS.assert(options);
  if (typeof options?.loadMesh !== 'function')
    throw new NearfieldError('bad-argument', 'loadMesh is missing; give a function that reads the mesh of a file.');
  const { loadMesh } = options;
  const fields = new JsonPlace(parse(text), '', 'The mechanism').fields(KEYS, ['parts', 'joints']);
  fields.take('format', '', (place) => place.choice(['nearfield-mechanism']));
  fields.take('version', 1, (place) => place.number({ min: 1, max: 1, integer: true }));
  fields.take('name', '', (place) => place.text());
  fields.take('unit', '', (place) => place.text());
  const loaded = new Map<string, Mesh>();
  const load = async (place: JsonPlace): Promise<Mesh> => {
    const file = place.text();
    try {
      const mesh = loaded.get(file) ?? (await loadMesh(file));
      loaded.set(file, mesh);
      return mesh;
    } catch (error) {
      throw place.nameError(error);
    }
  };
  const parts: Mechanism['parts'][number][] = [];
  for (const place of fields.at('parts').list('parts')) {
    const part = place.fields(['name', 'model', 'pose'], ['name']);
    parts.push({
      name: part.at('name').text(),
      mesh: part.has('model') ? await load(part.at('model')) : undefined,
      pose: part.take('pose', undefined, (at) => at.numbers(7)),
    });
  }
  return {
    type: 'mechanism',
    parts,
    joints: fields.at('joints').list('joints').map(readJoint),
    couplings: fields.take('couplings', undefined, (place) => place.list('couplings').map(readCoupling)),
    loops: fields.take('loops', undefined, (place) => place.list('loops').map(readLoop)),
    allowed: fields.take('allowed', undefined, (place) => place.list('pairs').map(readAllowed)),
    clearance: fields.take('clearance', undefined, (place) => place.number({ min: 0 })),
  };
}

function parse(text: string): unknown {
  if (typeof text !== 'string')
    throw new NearfieldError('bad-argument', 'The mechanism is no text; give the text of a mechanism file.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NearfieldError('file-format', `The mechanism is no JSON: ${(error as Error).message}.`);
  }
}

function readJoint(place: JsonPlace): Mechanism['joints'][number] {
  const joint = place.fields(
    ['name', 'type', 'parent', 'child', 'origin', 'axis', 'range'],
    ['name', 'type', 'parent', 'child'],
  );
  return {
    name: joint.at('name').text(),
    type: joint.at('type').choice(['revolute', 'prismatic', 'fixed']),
    parent: joint.at('parent').text(),
    child: joint.at('child').text(),
    origin: joint.take('origin', undefined, (at) => at.numbers(7)),
    axis: joint.take('axis', undefined, (at) => at.numbers(3) as Vec3),
    range: joint.take('range', undefined, (at) => at.numbers(2) as [number, number]),
  };
}

function readCoupling(place: JsonPlace): NonNullable<Mechanism['couplings']>[number] {
  const coupling = place.fields(['joint', 'of', 'ratio', 'offset'], ['joint', 'of', 'ratio']);
  return {
    joint: coupling.at('joint').text(),
    of: coupling.at('of').text(),
    ratio: coupling.at('ratio').number(),
    offset: coupling.take('offset', undefined, (at) => at.number()),
  };
}

function readLoop(place: JsonPlace): NonNullable<Mechanism['loops']>[number] {
  const loop = place.fields(['a', 'b', 'at', 'type', 'axis'], ['a', 'b', 'at', 'type']);
  return {
    a: loop.at('a').text(),
    b: loop.at('b').text(),
    at: loop.at('at').numbers(3) as Vec3,
    type: loop.at('type').choice(['pin', 'slide']),
    axis: loop.take('axis', undefined, (at) => at.numbers(3) as Vec3),
  };
}

function readAllowed(place: JsonPlace): NonNullable<Mechanism['allowed']>[number] {
  const pair = place.fields(['a', 'b', 'depth'], ['a', 'b']);
  return {
    a: pair.at('a').text(),
    b: pair.at('b').text(),
    depth: pair.take('depth', undefined, (at) => at.number({ min: 0 })),
  };
}
