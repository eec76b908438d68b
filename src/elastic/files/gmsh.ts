// Meshes of tetrahedra in Gmsh's format MSH, versions 2.2 and 4.1 in text. Elements of lower dimension are skipped;
// volume elements other than linear tetrahedra are refused. Source: Gmsh reference manual, section "MSH file format".

import { formatNumber } from '../../io/formats/format-lines.js';
import { TextCursor } from '../../io/formats/text-cursor.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import { NodeTable } from './node-table.js';

/** Format: the type of elements with four nodes. */
const TETRAHEDRON = 4;

/** Nodes of the element types with fewer than three dimensions. */
const LOWER_TYPES: Readonly<Record<number, number>> = {
  1: 2,
  2: 3,
  3: 4,
  8: 3,
  9: 6,
  10: 9,
  15: 1,
  16: 8,
  20: 9,
  21: 10,
  26: 4,
  27: 5,
};

export function readGmsh(bytes: Uint8Array): TetrahedralMesh {
  const cursor = new TextCursor(bytes);
  const table = new NodeTable();
  let version = 0;
  while (cursor.skipToWord()) {
    const section = cursor.readWord();
    if (section === '$MeshFormat') version = readFormat(cursor);
    else if (section === '$Nodes') (version < 4 ? readNodes2 : readNodes4)(cursor, table);
    else if (section === '$Elements') (version < 4 ? readElements2 : readElements4)(cursor, table);
    else if (!section.startsWith('$')) cursor.fail('file-format', 'expected a section that begins with $');
    skipSection(cursor, section);
  }
  if (version === 0)
    cursor.fail('file-format', 'an MSH file begins with $MeshFormat; this file is not one or is damaged', 0);
  return table.finish();
}

/** MSH 4.1 in text, or 2.2 for older programs. Reads back exactly. */
export function writeGmsh({ positions, elements }: TetrahedralMesh, version: '4.1' | '2.2'): Uint8Array {
  const nodes = positions.length / 3;
  const count = elements.length / 4;
  const lines: string[] = [`$MeshFormat\n${version} 0 8\n$EndMeshFormat\n`];
  const point = (i: number) =>
    `${formatNumber(positions[3 * i])} ${formatNumber(positions[3 * i + 1])} ${formatNumber(positions[3 * i + 2])}\n`;
  const corners = (e: number) => [0, 1, 2, 3].map((i) => elements[4 * e + i] + 1).join(' ');
  if (version === '2.2') {
    lines.push(`$Nodes\n${nodes}\n`);
    for (let i = 0; i < nodes; i++) lines.push(`${i + 1} ${point(i)}`);
    lines.push(`$EndNodes\n$Elements\n${count}\n`);
    for (let e = 0; e < count; e++) lines.push(`${e + 1} ${TETRAHEDRON} 2 1 1 ${corners(e)}\n`);
    lines.push('$EndElements\n');
    return new TextEncoder().encode(lines.join(''));
  }
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  lines.push(`$Entities\n0 0 0 1\n1 ${low.join(' ')} ${high.join(' ')} 0 0\n$EndEntities\n`);
  lines.push(`$Nodes\n1 ${nodes} 1 ${nodes}\n3 1 0 ${nodes}\n`);
  for (let i = 0; i < nodes; i++) lines.push(`${i + 1}\n`);
  for (let i = 0; i < nodes; i++) lines.push(point(i));
  lines.push(`$EndNodes\n$Elements\n1 ${count} 1 ${count}\n3 1 ${TETRAHEDRON} ${count}\n`);
  for (let e = 0; e < count; e++) lines.push(`${e + 1} ${corners(e)}\n`);
  lines.push('$EndElements\n');
  return new TextEncoder().encode(lines.join(''));
}

function readFormat(cursor: TextCursor): number {
  const version = number(cursor, 'the version');
  const kind = number(cursor, 'the file type');
  if (kind !== 0) cursor.fail('unsupported', 'the MSH file is binary; save it as text (Mesh.Binary = 0)');
  if (version !== 4.1 && !(version >= 2 && version < 3)) {
    cursor.fail('unsupported', `the file has version ${version} of MSH; save it as 4.1 or 2.2`);
  }
  number(cursor, 'the size of numbers');
  return version;
}

function readNodes2(cursor: TextCursor, table: NodeTable): void {
  const nodes = number(cursor, 'the count of nodes');
  for (let i = 0; i < nodes; i++) {
    const tag = number(cursor, 'the number of a node');
    addNode(cursor, table, tag);
  }
}

function readElements2(cursor: TextCursor, table: NodeTable): void {
  const count = number(cursor, 'the count of elements');
  for (let e = 0; e < count; e++) {
    number(cursor, 'the number of an element');
    const type = number(cursor, 'the type of an element');
    const tags = number(cursor, 'the count of tags');
    for (let i = 0; i < tags; i++) number(cursor, 'a tag');
    readElement(cursor, table, type);
  }
}

function readNodes4(cursor: TextCursor, table: NodeTable): void {
  const blocks = number(cursor, 'the count of node blocks');
  for (let i = 0; i < 3; i++) number(cursor, 'the counts of nodes');
  for (let block = 0; block < blocks; block++) {
    const dimension = number(cursor, 'the dimension of an entity');
    number(cursor, 'the number of an entity');
    const parametric = number(cursor, 'whether nodes are parametric');
    const count = number(cursor, 'the count of nodes');
    const tags: number[] = [];
    for (let i = 0; i < count; i++) tags.push(number(cursor, 'the number of a node'));
    for (const tag of tags) {
      addNode(cursor, table, tag);
      for (let i = 0; parametric === 1 && i < dimension; i++) number(cursor, 'a parameter');
    }
  }
}

function readElements4(cursor: TextCursor, table: NodeTable): void {
  const blocks = number(cursor, 'the count of element blocks');
  for (let i = 0; i < 3; i++) number(cursor, 'the counts of elements');
  for (let block = 0; block < blocks; block++) {
    number(cursor, 'the dimension of an entity');
    number(cursor, 'the number of an entity');
    const type = number(cursor, 'the type of elements');
    const count = number(cursor, 'the count of elements');
    for (let e = 0; e < count; e++) {
      number(cursor, 'the number of an element');
      readElement(cursor, table, type);
    }
  }
}

function readElement(cursor: TextCursor, table: NodeTable, type: number): void {
  const size = type === TETRAHEDRON ? 4 : LOWER_TYPES[type];
  if (size === undefined) {
    cursor.fail('unsupported', `elements of type ${type} are not supported; mesh with linear tetrahedra`);
  }
  const tags: number[] = [];
  for (let i = 0; i < size; i++) tags.push(number(cursor, 'a node of an element'));
  if (type === TETRAHEDRON) table.addElement(tags);
}

function addNode(cursor: TextCursor, table: NodeTable, tag: number): void {
  const x = coordinate(cursor);
  const y = coordinate(cursor);
  table.addNode(tag, x, y, coordinate(cursor));
}

/** The next number, on this line or a later one. */
function number(cursor: TextCursor, what: string): number {
  if (!cursor.skipToWord()) cursor.failMissing(what);
  return cursor.readNumber(what);
}

function coordinate(cursor: TextCursor): number {
  if (!cursor.skipToWord()) cursor.failMissing('a coordinate');
  return cursor.readCoordinate('a coordinate');
}

function skipSection(cursor: TextCursor, name: string): void {
  const end = name.replace('$', '$End');
  while (cursor.skipToWord()) {
    const word = cursor.readWord();
    cursor.nextLine();
    if (word === end) return;
  }
  cursor.fail('file-truncated', `the file ends before ${end}; it is truncated; copy it again`);
}
