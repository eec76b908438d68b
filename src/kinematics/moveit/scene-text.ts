// The .scene files of MoveIt: the name of the scene, then objects, each a line "* name", its pose in newer files, the count
// of its shapes, and for each its kind, sizes, position, orientation and color; newer files list named frames after them.
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import { createMesh, type Mesh } from '../../mesh/mesh.js';
import type { PlanObstacle } from '../validity/obstacle-description.js';
import type { PlanningScene } from './read-scene.js';
import { SCENE_SHAPES, type SceneShape, sceneShape } from './scene-shapes.js';

export function readSceneText(text: string): PlanningScene {
  const lines = new SceneLines(text);
  const name = lines.next('the name of the scene').trim();
  const environment: PlanObstacle[] = [];
  for (;;) {
    const line = lines.next('"* NAME" of an object, or "." at the end').trim();
    if (line === '.') break;
    if (!line.startsWith('*')) lines.fail(`"${line.slice(0, 40)}" is no object; give "* NAME", or "." at the end`);
    environment.push(...readObject(lines, line.slice(1).trim()));
  }
  return { name: name === '' ? null : name, environment, warnings: [] };
}

function readObject(lines: SceneLines, name: string): PlanObstacle[] {
  // Older files have no pose of the object: the count of shapes is one number.
  const isNew = lines.wordsAhead() === 3;
  const frame = isNew ? readPose(lines) : pose.identity();
  const [count] = lines.counts(1, 'the count of shapes');
  const parts: PlanObstacle[] = [];
  for (let i = 0; i < count; i++) {
    const mesh = readShape(lines, name);
    parts.push({ name, mesh, pose: pose.multiply(frame, readPose(lines)) });
    lines.numbers(4, 'a color');
  }
  if (isNew && lines.wordsAhead() === 1 && !/^[.*]/.test(lines.ahead())) skipFrames(lines);
  return parts;
}

function skipFrames(lines: SceneLines): void {
  const [count] = lines.counts(1, 'the count of frames');
  for (let i = 0; i < count; i++) {
    lines.next('the name of a frame');
    readPose(lines);
  }
}

function readShape(lines: SceneLines, object: string): Mesh {
  const kind = lines.next('a shape').trim();
  if (kind === 'mesh') return readMesh(lines);
  if (!Object.hasOwn(SCENE_SHAPES, kind)) {
    lines.fail(
      `the shape "${kind}" of ${object} is not read; give a box, sphere, cylinder, cone or mesh`,
      'unsupported',
    );
  }
  const shape = kind as SceneShape;
  const sizes = lines.numbers(SCENE_SHAPES[shape], `the sizes of a ${shape}`);
  if (!sizes.every((size) => size > 0))
    lines.fail(`the sizes of a ${shape} of ${object} are ${sizes.join(' ')}; give sizes above 0`);
  return sceneShape(shape, sizes);
}

function readMesh(lines: SceneLines): Mesh {
  const [vertices, triangles] = lines.counts(2, 'the counts of vertices and triangles');
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < vertices; i++) positions.push(...lines.numbers(3, 'a vertex'));
  for (let i = 0; i < triangles; i++) indices.push(...lines.numbers(3, 'a triangle'));
  return lines.name(() => createMesh(positions, indices));
}

function readPose(lines: SceneLines): pose.Pose {
  const position = lines.numbers(3, 'a position') as Vec3;
  const [x, y, z, w] = lines.numbers(4, 'an orientation');
  if (!(Math.hypot(x, y, z, w) > 0)) lines.fail('an orientation is 0 0 0 0; give x y z w of a unit quaternion');
  return pose.create(position, quat.normalize([x, y, z, w]));
}

/** The lines of a file, with the number of the last one read. */
class SceneLines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\n|\r/);
  }

  /** The next line that is not blank, but the first as it is. @param what for messages. */
  next(what: string): string {
    while (this.#at > 0 && this.#at < this.#lines.length && this.#lines[this.#at].trim() === '') this.#at++;
    if (this.#at >= this.#lines.length) this.fail(`the file ends before ${what}; copy it again`, 'file-truncated');
    return this.#lines[this.#at++];
  }

  /** The next line, which is not read by this. */
  ahead(): string {
    while (this.#at < this.#lines.length && this.#lines[this.#at].trim() === '') this.#at++;
    return (this.#lines[this.#at] ?? '').trim();
  }

  wordsAhead(): number {
    return this.ahead().split(/\s+/).length;
  }

  numbers(count: number, what: string): number[] {
    const words = this.next(what).trim().split(/\s+/);
    const values = words.map(Number);
    if (values.length !== count || !values.every(Number.isFinite)) {
      this.fail(`"${words.join(' ').slice(0, 40)}" is not ${what}; give ${count} numbers`);
    }
    return values;
  }

  /** Whole numbers from 0. */
  counts(count: number, what: string): number[] {
    const values = this.numbers(count, what);
    if (!values.every((value) => Number.isInteger(value) && value >= 0)) this.fail(`${what} is ${values.join(' ')}`);
    return values;
  }

  /** Names the line in the message of an error. */
  name<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof NearfieldError) this.fail(error.message.replace(/\.$/, ''), 'file-format');
      throw error;
    }
  }

  fail(message: string, code: 'file-format' | 'file-truncated' | 'unsupported' = 'file-format'): never {
    throw new NearfieldError(code, `line ${this.#at}: ${message}.`, { line: this.#at });
  }
}
