// Reads Wavefront OBJ: vertices, polygons and groups; the rest of the format (texture coordinates, normals, materials,
// lines, points, free-form curves) is ignored. One pass over the bytes, O(file).
// Source: Wavefront Technologies, Advanced Visualizer manual, appendix B1.
import { reportProgress } from '../../core/progress.js';
import { createModel, type MeshGroup, type ModelFile } from '../model/model-file.js';
import { modelName, PROGRESS_INTERVAL, type ReadOptions } from '../model/read-options.js';
import { PositionList, TriangleList } from './growing-lists.js';
import { PolygonCuts } from './polygon-cuts.js';
import { TextCursor } from './text-cursor.js';

/** Statements that are ignored. */
const PASSED_OVER = new Set(
  (
    'vt vn vp l p s mg usemtl mtllib usemap maplib bevel c_interp d_interp lod shadow_obj trace_obj ctech stech ' +
    'cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con bzp bsp cdc cdp res'
  ).split(' '),
);

/**
 * Reads an OBJ file. Vertex ids are those of the file, from 0. Polygons become triangle fans from their first vertex (others
 * where a fan would fold over, see `PolygonCuts`),
 * in file order. `g` and `o` become groups.
 */
export function readObj(bytes: Uint8Array, options: ReadOptions = {}): ModelFile {
  return new ObjReader(bytes).read(options);
}

class ObjReader {
  readonly #cursor: TextCursor;
  readonly #positions: PositionList;
  readonly #triangles: TriangleList;
  readonly #polygons = new PolygonCuts();
  readonly #groups: MeshGroup[] = [];
  #groupName: string | null = null;
  #groupStart = 0;
  /** The highest vertex id used so far and where: a face may use vertices that come after it. */
  #highestId = -1;
  #highestOffset = 0;

  constructor(bytes: Uint8Array) {
    this.#cursor = new TextCursor(bytes, { comments: true, continuations: true });
    this.#positions = new PositionList(bytes.length / 64);
    this.#triangles = new TriangleList(bytes.length / 32);
  }

  read(options: ReadOptions): ModelFile {
    const cursor = this.#cursor;
    for (let statements = 0; cursor.skipToWord(); statements++) {
      if (statements % PROGRESS_INTERVAL === 0) {
        reportProgress(options, cursor.offset / cursor.bytes.length, 'reading OBJ');
      }
      this.#readStatement();
      cursor.nextLine();
    }
    this.#endGroup();

    if (this.#highestId >= this.#positions.count) {
      cursor.fail(
        'index-out-of-range',
        `the face uses vertex ${this.#highestId + 1}, but the file has ${this.#positions.count} vertices`,
        this.#highestOffset,
      );
    }
    if (this.#triangles.count === 0) {
      cursor.fail('empty-mesh', 'the file ends without a face ("f" statement); give one with a surface');
    }
    const mesh = { positions: this.#positions.toArray(), indices: this.#triangles.toArray() };
    const warnings = this.#polygons.finish(mesh.positions, mesh.indices);
    const named = this.#groups.some((group) => group.name !== '');
    const model = createModel({ name: modelName(options), mesh, ...(named && { groups: this.#groups }) }, 'obj');
    return warnings.length > 0 ? { ...model, warnings } : model;
  }

  #readStatement(): void {
    const cursor = this.#cursor;
    const start = cursor.offset;
    const keyword = cursor.readWord();
    if (keyword === 'v') {
      const x = cursor.readCoordinate('the x coordinate');
      const y = cursor.readCoordinate('the y coordinate');
      const z = cursor.readCoordinate('the z coordinate');
      this.#positions.push(x, y, z);
    } else if (keyword === 'f' || keyword === 'fo') {
      this.#readFace(start);
    } else if (keyword === 'g' || keyword === 'o') {
      this.#endGroup();
      this.#groupName = cursor.readRestOfLine();
    } else if (keyword === 'call' || keyword === 'csh') {
      cursor.fail('unsupported', `the statement "${keyword}" includes another file; insert its content`, start);
    } else if (!PASSED_OVER.has(keyword)) {
      cursor.fail(
        'file-format',
        `"${keyword.slice(0, 24)}" is not an OBJ statement; remove the line if it is not needed`,
        start,
      );
    }
  }

  #readFace(start: number): void {
    const cursor = this.#cursor;
    let corners = 0;
    let first = 0;
    let previous = 0;
    while (!cursor.atLineEnd()) {
      const id = this.#readCorner();
      if (corners === 0) first = id;
      else if (corners >= 2) this.#triangles.push(first, previous, id);
      previous = id;
      corners++;
    }
    this.#polygons.add(this.#triangles.count - corners + 2, corners - 2);
    if (corners < 3) {
      if (cursor.atFileEnd) {
        cursor.fail(
          'file-truncated',
          `the file ends in a face with ${corners} vertices; it is truncated; copy it again`,
          start,
        );
      }
      cursor.fail('file-format', `the face has ${corners} vertices; a face needs three, so remove it`, start);
    }
  }

  /** A vertex id; the texture and normal ids that may follow after slashes are skipped. */
  #readCorner(): number {
    const cursor = this.#cursor;
    const start = cursor.offset;
    const written = cursor.readInteger('the vertex id', true);
    for (let slashes = 0; cursor.bytes[cursor.offset] === 0x2f; slashes++) {
      cursor.offset++;
      const next = cursor.bytes[cursor.offset];
      // "1//3" has no texture id.
      const empty = slashes === 0 && next === 0x2f;
      if (slashes === 2) cursor.fail('file-format', 'a corner of a face is at most vertex/texture/normal', start);
      if (!empty && next > 0x20) cursor.readInteger('the texture or normal id', slashes === 0);
    }
    const count = this.#positions.count;
    if (written < 0 && written + count >= 0) return written + count;
    if (written <= 0 || written > 0xffffffff) {
      const why = written === 0 ? 'ids begin at 1' : `${count} vertices come before it`;
      cursor.fail('index-out-of-range', `the face uses vertex ${written}, but ${why}`, start);
    }
    if (written - 1 > this.#highestId) {
      this.#highestId = written - 1;
      this.#highestOffset = start;
    }
    return written - 1;
  }

  #endGroup(): void {
    const count = this.#triangles.count;
    if (count > this.#groupStart) {
      const name = this.#groupName ?? '';
      this.#groups.push({ name, firstTriangle: this.#groupStart, triangleCount: count - this.#groupStart });
    }
    this.#groupStart = count;
  }
}
