// Meshes of tetrahedra in VTK's legacy format, in text, with values at the nodes for ParaView. Reads the lists of cells of
// versions up to 4 and those of version 5. Source: VTK file formats, section "Simple legacy formats".
import { NearfieldError } from '../../core/errors.js';
import { formatNumber, formatPositions } from '../../io/formats/format-lines.js';
import { TextCursor } from '../../io/formats/text-cursor.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { NodeTable } from './node-table.js';

/** Format: the type of cells with four nodes. */
const TETRAHEDRON = 10;

/** Cell types with fewer than three dimensions, which are skipped. */
const LOWER_TYPES: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 21, 22, 23]);

export function readVtk(bytes: Uint8Array): TetrahedralMesh {
  const cursor = new TextCursor(bytes);
  if (!cursor.readRestOfLine().startsWith('# vtk DataFile')) {
    cursor.fail('file-format', 'a legacy VTK file begins with "# vtk DataFile Version"; this file is not one', 0);
  }
  cursor.nextLine();
  cursor.nextLine();
  const encoding = nextWord(cursor, 'ASCII or BINARY');
  if (encoding !== 'ASCII') cursor.fail('unsupported', 'the VTK file is binary; save it as text (ASCII)');
  if (nextWord(cursor, 'DATASET') !== 'DATASET' || nextWord(cursor, 'the kind of data') !== 'UNSTRUCTURED_GRID') {
    cursor.fail('unsupported', 'the VTK file holds no UNSTRUCTURED_GRID; save the tetrahedra as one');
  }
  const table = new NodeTable();
  let cells: number[][] = [];
  while (cursor.skipToWord()) {
    const word = cursor.readWord();
    if (word === 'POINTS') readPoints(cursor, table);
    else if (word === 'CELLS') cells = readCells(cursor);
    else if (word === 'CELL_TYPES') {
      addCells(cursor, cells, table);
      return table.finish();
    } else cursor.nextLine();
  }
  return cursor.failMissing('CELL_TYPES');
}

/**
 * A legacy VTK file in text. Coordinates read back exactly.
 * @param data values at the nodes by name, one or three a node.
 */
export function writeVtk(
  { positions, elements }: TetrahedralMesh,
  data: Readonly<Record<string, Float64Array>> = {},
): Uint8Array {
  const nodes = positions.length / 3;
  const count = elements.length / 4;
  const lines = [
    '# vtk DataFile Version 3.0\nnearfield\nASCII\nDATASET UNSTRUCTURED_GRID\n',
    `POINTS ${nodes} double\n${formatPositions(positions, '')}CELLS ${count} ${5 * count}\n`,
  ];
  for (let e = 0; e < elements.length; e += 4) lines.push(`4 ${elements.subarray(e, e + 4).join(' ')}\n`);
  lines.push(`CELL_TYPES ${count}\n${`${TETRAHEDRON}\n`.repeat(count)}`);
  const names = Object.keys(data);
  if (names.length > 0) lines.push(`POINT_DATA ${nodes}\n`);
  for (const name of names) {
    const values = data[name];
    const label = name.replace(/\s+/g, '_');
    if (values.length === nodes) {
      lines.push(`SCALARS ${label} double 1\nLOOKUP_TABLE default\n`);
      for (const value of values) lines.push(`${formatNumber(value)}\n`);
    } else if (values.length === 3 * nodes) lines.push(`VECTORS ${label} double\n`, formatPositions(values, ''));
    else {
      throw new NearfieldError(
        'bad-argument',
        `The values "${name}" are ${values.length} numbers; give one or three for each of the ${nodes} nodes.`,
      );
    }
  }
  return new TextEncoder().encode(lines.join(''));
}

function readPoints(cursor: TextCursor, table: NodeTable): void {
  const count = nextNumber(cursor, 'the count of points');
  cursor.nextLine();
  for (let i = 0; i < count; i++) {
    const at: number[] = [];
    for (let axis = 0; axis < 3; axis++) {
      if (!cursor.skipToWord()) cursor.failMissing(`point ${i} of ${count}`);
      at.push(cursor.readCoordinate('a coordinate'));
    }
    table.addNode(i, at[0], at[1], at[2]);
  }
}

/** The nodes of each cell: lists with their lengths, or offsets and connectivity. */
function readCells(cursor: TextCursor): number[][] {
  const count = nextNumber(cursor, 'the count of cells');
  const total = nextNumber(cursor, 'the count of numbers');
  cursor.nextLine();
  const start = cursor.offset;
  const cells: number[][] = [];
  if (cursor.skipToWord() && cursor.readWord() === 'OFFSETS') {
    cursor.nextLine();
    const offsets: number[] = [];
    for (let i = 0; i < count; i++) offsets.push(nextNumber(cursor, 'an offset'));
    if (nextWord(cursor, 'CONNECTIVITY') !== 'CONNECTIVITY') cursor.fail('file-format', 'expected CONNECTIVITY');
    cursor.nextLine();
    for (let i = 0; i + 1 < count; i++) {
      const cell: number[] = [];
      for (let k = offsets[i]; k < offsets[i + 1] && k < total; k++) cell.push(nextNumber(cursor, 'a point of a cell'));
      cells.push(cell);
    }
    return cells;
  }
  cursor.offset = start;
  let left = total;
  for (let i = 0; i < count; i++) {
    const size = nextNumber(cursor, 'the count of points of a cell');
    left -= 1 + size;
    if (!(size >= 0) || left < 0) cursor.fail('file-format', 'the cells have more points than the file declares');
    const cell: number[] = [];
    for (let k = 0; k < size; k++) cell.push(nextNumber(cursor, 'a point of a cell'));
    cells.push(cell);
  }
  return cells;
}

function addCells(cursor: TextCursor, cells: readonly number[][], table: NodeTable): void {
  const count = nextNumber(cursor, 'the count of cell types');
  for (let i = 0; i < count; i++) {
    const type = nextNumber(cursor, 'the type of a cell');
    if (type === TETRAHEDRON && cells[i]?.length === 4) table.addElement(cells[i]);
    else if (!LOWER_TYPES.has(type)) {
      cursor.fail(
        'unsupported',
        `cells of type ${type} are not supported; give linear tetrahedra, type ${TETRAHEDRON}`,
      );
    }
  }
}

function nextNumber(cursor: TextCursor, what: string): number {
  if (!cursor.skipToWord()) cursor.failMissing(what);
  return cursor.readNumber(what);
}

function nextWord(cursor: TextCursor, what: string): string {
  if (!cursor.skipToWord()) cursor.failMissing(what);
  return cursor.readWord();
}
