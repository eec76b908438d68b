// Reads OFF, the Object File Format in text: vertices and polygons; colors, normals and texture coordinates are
// ignored. Each vertex and each face is one line. O(file). Source: Geomview manual 1996, section "OFF Files".
import { reportProgress } from '../../core/progress.js';
import { createModel, type ModelFile } from '../model/model-file.js';
import { modelName, PROGRESS_INTERVAL, type ReadOptions } from '../model/read-options.js';
import { PositionList, TriangleList } from './growing-lists.js';
import { PolygonCuts } from './polygon-cuts.js';
import { TextCursor } from './text-cursor.js';

/**
 * Reads an OFF file (also COFF, NOFF, STOFF and their combinations). Vertex ids are those of the file. Polygons become
 * triangle fans from their first vertex, in file order. Lines beyond the declared counts are ignored, with a warning.
 */
export function readOff(bytes: Uint8Array, options: ReadOptions = {}): ModelFile {
  const cursor = new TextCursor(bytes, { comments: true });
  readKeyword(cursor);
  const { vertexCount, faceCount } = readCounts(cursor);
  const positions = new PositionList(vertexCount);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    if (vertex % PROGRESS_INTERVAL === 0) reportProgress(options, cursor.offset / bytes.length, 'reading OFF');
    if (!cursor.skipToWord()) cursor.failMissing(`vertex ${vertex} of ${vertexCount}`);
    const x = cursor.readCoordinate('the x coordinate');
    const y = cursor.readCoordinate('the y coordinate');
    const z = cursor.readCoordinate('the z coordinate');
    positions.push(x, y, z);
    cursor.nextLine();
  }
  const triangles = new TriangleList(faceCount);
  const polygons = new PolygonCuts();
  for (let face = 0; face < faceCount; face++) {
    if (face % PROGRESS_INTERVAL === 0) reportProgress(options, cursor.offset / bytes.length, 'reading OFF');
    if (!cursor.skipToWord()) cursor.failMissing(`face ${face} of ${faceCount}`);
    readFace(cursor, vertexCount, triangles, polygons);
    cursor.nextLine();
  }
  const mesh = { positions: positions.toArray(), indices: triangles.toArray() };
  const warnings = polygons.finish(mesh.positions, mesh.indices);
  if (cursor.skipToWord()) {
    warnings.push(
      `line ${cursor.lineAt(cursor.offset)}: more lines follow than the ${vertexCount} vertices and ${faceCount} faces ` +
        'declared; they are ignored.',
    );
  }
  const model = createModel({ name: modelName(options), mesh }, 'off');
  return warnings.length > 0 ? { ...model, warnings } : model;
}

/** The keyword is optional; the counts may follow on its line. */
function readKeyword(cursor: TextCursor): void {
  if (!cursor.skipToWord()) cursor.failMissing('the word OFF');
  const start = cursor.offset;
  const keyword = cursor.readWord();
  if (/^[+-]?\d+$/.test(keyword)) {
    cursor.offset = start;
    return;
  }
  if (/^(ST|C|N)*(4n?|n)OFF$/.test(keyword)) {
    cursor.fail('unsupported', `"${keyword}" has other than three coordinates per vertex; convert it`, start);
  }
  if (!/^(ST|C|N)*OFF$/.test(keyword)) {
    cursor.fail('file-format', 'an OFF file begins with the word OFF; this file is not OFF or is damaged', start);
  }
  const afterKeyword = cursor.offset;
  if (cursor.readWord() === 'BINARY') {
    cursor.fail('unsupported', 'the file is a binary OFF; convert it to text OFF or to PLY', start);
  }
  cursor.offset = afterKeyword;
}

function readCounts(cursor: TextCursor): { vertexCount: number; faceCount: number } {
  if (!cursor.skipToWord()) cursor.failMissing('the counts of vertices and faces');
  const start = cursor.offset;
  const vertexCount = cursor.readCount('the count of vertices');
  const faceCount = cursor.readCount('the count of faces');
  // The count of edges is often missing and not needed.
  cursor.nextLine();
  if (faceCount === 0) {
    cursor.fail('empty-mesh', `the file has ${vertexCount} vertices but no faces; give one with a surface`, start);
  }
  // The shortest lines are "0 0 0" and "3 0 1 2", each with a line break: counts that need more bytes are wrong.
  const left = cursor.bytes.length - cursor.offset;
  if (6 * vertexCount + 8 * faceCount - 1 > left) {
    cursor.fail(
      'file-truncated',
      `${vertexCount} vertices and ${faceCount} faces are declared, but only ${left} bytes are left for them; ` +
        'a count is wrong or the file is truncated',
      start,
    );
  }
  return { vertexCount, faceCount };
}

function readFace(cursor: TextCursor, vertexCount: number, triangles: TriangleList, polygons: PolygonCuts): void {
  const start = cursor.offset;
  const corners = cursor.readCount('the number of vertices of the face');
  if (corners < 3) {
    cursor.fail(
      'file-format',
      `the face has ${corners} vertices; a face needs three, so remove it and lower the count`,
      start,
    );
  }
  const first = readId(cursor, vertexCount);
  let previous = readId(cursor, vertexCount);
  for (let corner = 2; corner < corners; corner++) {
    const id = readId(cursor, vertexCount);
    triangles.push(first, previous, id);
    previous = id;
  }
  polygons.add(triangles.count - corners + 2, corners - 2);
}

function readId(cursor: TextCursor, vertexCount: number): number {
  const start = cursor.offset;
  const id = cursor.readInteger('a vertex id');
  if (!(id >= 0 && id < vertexCount)) {
    cursor.fail(
      'index-out-of-range',
      `the face uses vertex ${id}, but the file has vertices 0 to ${vertexCount - 1}`,
      start,
    );
  }
  return id;
}
