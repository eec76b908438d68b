// Damaged model files for fuzzing: seeded edits of well-formed ones, from a flipped byte to a header that lies. Most
// edits are small, so that reading gets past the header and a good share of the files still parses.
import type { Random } from '../../src/core/random.js';
import {
  bytesOf,
  cubeMesh,
  type GltfParts,
  joinBytes,
  packTestGlb,
  simpleGltf,
  textOf,
  torusMesh,
} from './model-files.js';

export interface FileKind {
  readonly name: string;
  readonly format: 'obj' | 'stl' | 'ply' | 'off' | 'gltf' | 'glb' | 'dae';
  /** A damaged file. */
  mutate(random: Random): Uint8Array;
}

const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '2',
  '3',
  '7',
  '255',
  '65536',
  '2147483648',
  '4294967295',
  '4294967296',
  '1e9',
  '1e-320',
  '1e49',
  '1e308',
  '1e999',
  'nan',
  '-inf',
  '0x1F',
  '1.5',
  '.5',
  '5.',
  '--3',
  '1,5',
  '99999999999999999999999999',
  '0.1000000000000000055511151231257827',
];

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.integer(items.length)];
}

type TextEdit = (text: string, random: Random) => string;

const replaceMatch = (pattern: RegExp, replacement: (random: Random) => string): TextEdit => {
  return (text, random) => {
    const matches = [...text.matchAll(pattern)];
    if (matches.length === 0) return text;
    const { index, 0: found } = pick(random, matches);
    return text.slice(0, index) + replacement(random) + text.slice(index + found.length);
  };
};

const editLines = (edit: (lines: string[], random: Random) => void): TextEdit => {
  return (text, random) => {
    const lines = text.split('\n');
    edit(lines, random);
    return lines.join('\n');
  };
};

const textEdits: readonly TextEdit[] = [
  replaceMatch(/\d/g, (random) => `${random.integer(10)}`),
  replaceMatch(/\d/g, (random) => `${random.integer(10)}`),
  replaceMatch(/[-+.\d]+(e[-+]?\d+)?/g, (random) => pick(random, NUMBERS)),
  replaceMatch(/ -?\d+\.\d+/g, (random) => ` ${random.normal() * 10 ** random.integer(12)}`),
  replaceMatch(/ /g, (random) => pick(random, ['', '  ', '\t', '\n', ' \\\n', ' # ', '/', '\u00a0'])),
  replaceMatch(/[a-z]/gi, (random) => String.fromCharCode(97 + random.integer(26))),
  replaceMatch(/\n/g, (random) => pick(random, ['\r\n', '\n\n', '\r', '\n# comment\n', ' \n', ''])),
  editLines((lines, random) => lines.splice(random.integer(lines.length), 1)),
  editLines((lines, random) => {
    lines.splice(random.integer(lines.length), 0, pick(random, lines));
  }),
  editLines((lines, random) => {
    const [i, j] = [random.integer(lines.length), random.integer(lines.length)];
    [lines[i], lines[j]] = [lines[j], lines[i]];
  }),
  // One of the first lines: headers and their counts.
  editLines((lines, random) => {
    const i = random.integer(Math.min(12, lines.length));
    lines[i] = replaceMatch(/\d+/g, () => pick(random, NUMBERS))(lines[i], random);
  }),
  (text, random) => text.slice(0, random.integer(text.length)),
  (text) => text.replaceAll('\n', '\r\n'),
  (text, random) => text + pick(random, ['\n', '\0', 'x', '3 0 1 2\n', '\n\n# end']),
];

type ByteEdit = (bytes: Uint8Array, random: Random) => Uint8Array;

const byteEdits: readonly ByteEdit[] = [
  (bytes, random) => {
    bytes[random.integer(bytes.length)] ^= 1 << random.integer(8);
    return bytes;
  },
  (bytes, random) => {
    bytes[random.integer(bytes.length)] = random.integer(256);
    return bytes;
  },
  (bytes, random) => {
    const start = random.integer(bytes.length);
    bytes.fill(pick(random, [0, 0xff, 0x20]), start, start + random.integer(16));
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, random.integer(bytes.length)),
  (bytes, random) => joinBytes(bytes, new Uint8Array(random.integer(80))),
  (bytes, random) => {
    const start = random.integer(bytes.length);
    bytes.copyWithin(start, random.integer(bytes.length), bytes.length - random.integer(bytes.length));
    return bytes;
  },
];

function mutateText(original: string, random: Random): Uint8Array {
  let text = original;
  for (let edits = 1 + random.integer(3); edits > 0; edits--) text = pick(random, textEdits)(text, random);
  const bytes = bytesOf(text);
  return random.integer(10) === 0 && bytes.length > 0 ? pick(random, byteEdits)(bytes, random) : bytes;
}

/** Edits the bytes from `bodyStart` on, and now and then those before. */
function mutateBinary(original: Uint8Array, bodyStart: number, random: Random): Uint8Array {
  let bytes: Uint8Array = original.slice();
  if (random.integer(6) === 0) {
    const head = mutateText(textOf(bytes.subarray(0, bodyStart)), random);
    return joinBytes(head, bytes.subarray(bodyStart));
  }
  for (let edits = 1 + random.integer(2); edits > 0 && bytes.length > bodyStart; edits--) {
    bytes = joinBytes(bytes.subarray(0, bodyStart), pick(random, byteEdits)(bytes.slice(bodyStart), random));
  }
  return bytes;
}

/** Changes one value somewhere in the JSON: a number, a key, a whole branch. */
function mutateJson(json: unknown, random: Random): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key]);
      visit((value as Record<string, unknown>)[key]);
    }
  };
  visit(json);
  const [holder, key] = pick(random, places);
  const value = holder[key];
  const wild = [0, -1, 1, 2, 1.5, 4e9, 1e300, null, true, 'x', [], {}, [0, 0, 0], '5126'];
  switch (random.integer(6)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      break;
    case 1:
      holder[key] = pick(random, wild);
      break;
    case 2:
      if (Array.isArray(holder)) holder.push(structuredClone(value));
      else holder[`${key}2`] = structuredClone(value);
      break;
    default:
      // Numbers mostly: small steps keep a file readable, large ones lie about sizes.
      holder[key] =
        typeof value === 'number' ? value + pick(random, [1, -1, 3, -12, 0.5, 1000]) : structuredClone(value);
  }
}

function mutateGltf(original: GltfParts, random: Random): GltfParts {
  const gltf = structuredClone(original);
  for (let edits = 1 + random.integer(2); edits > 0; edits--) {
    if (random.integer(2) === 0) mutateJson(gltf.json, random);
    else if (gltf.binary.length > 0) gltf.binary = pick(random, byteEdits)(gltf.binary, random);
  }
  return gltf;
}

function richGltf(): GltfParts {
  const gltf = simpleGltf(torusMesh(6, 5));
  const { json } = gltf;
  json.nodes = [
    { name: 'root', children: [1, 2], rotation: [0, 0, 0.6, 0.8] },
    { name: 'a', mesh: 0, translation: [1, 2, 3], scale: [1, -1, 2] },
    { mesh: 1, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 5, 5, 1] },
    { mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 0 } } } },
  ];
  json.scenes[0].nodes = [0, 3];
  json.extensionsUsed = ['EXT_mesh_gpu_instancing'];
  json.materials = [{ name: 'blue', pbrMetallicRoughness: { baseColorFactor: [0, 0, 1, 1] } }];
  json.meshes.push({
    primitives: [
      { attributes: { POSITION: 0 }, mode: 5, material: 0 },
      { attributes: { POSITION: 2 }, mode: 6 },
    ],
  });
  json.accessors.push({
    bufferView: 0,
    componentType: 5126,
    count: 12,
    type: 'VEC3',
    byteOffset: 24,
    sparse: { count: 2, indices: { bufferView: 1, componentType: 5123 }, values: { bufferView: 0, byteOffset: 12 } },
  });
  return gltf;
}

function plyText(): string {
  const { positions, indices } = torusMesh(6, 5);
  const rows = Array.from(
    { length: positions.length / 3 },
    (_, i) => `${[...positions.subarray(3 * i, 3 * i + 3)].join(' ')} 200 0.5`,
  );
  const faces = Array.from(
    { length: indices.length / 3 },
    (_, i) => `1 0.25 3 ${[...indices.subarray(3 * i, 3 * i + 3)].join(' ')}`,
  );
  return (
    `ply\nformat ascii 1.0\ncomment fuzz\nelement vertex ${rows.length}\nproperty double x\nproperty double y\nproperty double z\n` +
    `property uchar red\nproperty float quality\nelement face ${faces.length}\nproperty list uchar float uv\n` +
    `property list uchar int vertex_indices\nend_header\n${rows.join('\n')}\n${faces.join('\n')}\n`
  );
}

function plyBinary(littleEndian: boolean): { bytes: Uint8Array; bodyStart: number } {
  const { positions, indices } = torusMesh(6, 5);
  const head = bytesOf(
    `ply\nformat binary_${littleEndian ? 'little' : 'big'}_endian 1.0\nelement vertex ${positions.length / 3}\n` +
      'property float x\nproperty float y\nproperty double z\nproperty uchar red\n' +
      `element face ${indices.length / 3}\nproperty list uchar int vertex_indices\nproperty short flags\nend_header\n`,
  );
  const body = new Uint8Array((17 * positions.length) / 3 + (15 * indices.length) / 3);
  const view = new DataView(body.buffer);
  for (let i = 0; i < positions.length / 3; i++) {
    view.setFloat32(17 * i, positions[3 * i], littleEndian);
    view.setFloat32(17 * i + 4, positions[3 * i + 1], littleEndian);
    view.setFloat64(17 * i + 8, positions[3 * i + 2], littleEndian);
  }
  for (let i = 0; i < indices.length / 3; i++) {
    const offset = (17 * positions.length) / 3 + 15 * i;
    view.setUint8(offset, 3);
    for (let k = 0; k < 3; k++) view.setInt32(offset + 1 + 4 * k, indices[3 * i + k], littleEndian);
  }
  return { bytes: joinBytes(head, body), bodyStart: head.length };
}

function objText(): string {
  const { positions, indices } = torusMesh(6, 5);
  const lines = ['# fuzz', 'mtllib a.mtl', 'o ring'];
  for (let i = 0; i < positions.length; i += 3) {
    lines.push(`v ${[...positions.subarray(i, i + 3)].join(' ')}`, `vt ${i} 0.5`, 'vn 0 0 1 # up');
  }
  for (let i = 0; i < indices.length; i += 6) {
    if (i % 60 === 0) lines.push(`g group ${i}`, 'usemtl x', 's 1');
    const [a, b, c, , , d] = [...indices.subarray(i, i + 6)].map((id) => id + 1);
    lines.push(
      i % 4 === 0 ? `f ${a}/${a}/1 ${b}/${b}/1 ${c}//1 ${d}` : `f ${a} ${b} ${c} \\`,
      ...(i % 4 === 0 ? [] : [`  ${d}`]),
    );
  }
  return `${lines.join('\n')}\nf -1 -2 -3\nl 1 2 3\n`;
}

function offText(): string {
  const { positions, indices } = cubeMesh();
  const rows = Array.from({ length: 8 }, (_, i) =>
    [...positions.subarray(3 * i, 3 * i + 3)].map((x) => x.toFixed(3)).join(' '),
  );
  const faces = Array.from(
    { length: 12 },
    (_, i) => `3  ${[...indices.subarray(3 * i, 3 * i + 3)].join(' ')}  255 0 0`,
  );
  return `OFF\n# fuzz\n8 12 18\n${rows.join('\n')}\n\n${faces.join('\n')}\n`;
}

function stlText(): string {
  const { positions, indices } = torusMesh(5, 4);
  const corner = (id: number) =>
    `      vertex ${[...positions.subarray(3 * id, 3 * id + 3)].map((x) => x.toExponential(6)).join(' ')}\n`;
  let text = 'solid ring\n';
  for (let i = 0; i < indices.length; i += 3) {
    text += `  facet normal 0.0 0.0 1.0\n    outer loop\n${[...indices.subarray(i, i + 3)].map(corner).join('')}    endloop\n  endfacet\n`;
  }
  return `${text}endsolid ring\n`;
}

function stlBinary(): Uint8Array {
  const { positions, indices } = torusMesh(5, 4);
  const bytes = new Uint8Array(84 + (50 * indices.length) / 3);
  bytes.set(bytesOf('solid but binary'));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, indices.length / 3, true);
  indices.forEach((id, i) => {
    for (let axis = 0; axis < 3; axis++) {
      view.setFloat32(84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3) + 4 * axis, positions[3 * id + axis], true);
    }
  });
  return bytes;
}

/** Two placements of a cube, one through another node. */
function daeText(): string {
  const { positions, indices } = cubeMesh();
  const numbers = Array.from(positions).join(' ');
  return [
    '<COLLADA version="1.4.1">',
    '<asset><unit meter="0.5"/></asset>',
    '<library_geometries><geometry id="cube"><mesh>',
    `<source id="points"><float_array id="values" count="${positions.length}">${numbers}</float_array>`,
    `<technique_common><accessor source="#values" count="${positions.length / 3}" stride="3"/></technique_common></source>`,
    '<vertices id="corners"><input semantic="POSITION" source="#points"/></vertices>',
    `<triangles count="${indices.length / 3}"><input semantic="VERTEX" source="#corners" offset="0"/>`,
    `<p>${Array.from(indices).join(' ')}</p></triangles>`,
    '</mesh></geometry></library_geometries>',
    '<library_nodes><node id="shared"><translate>0 3 0</translate><instance_geometry url="#cube"/></node></library_nodes>',
    '<library_visual_scenes><visual_scene id="all">',
    '<node name="left"><rotate>0 0 1 90</rotate><scale>1 2 1</scale><instance_geometry url="#cube"/></node>',
    '<node name="right"><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url="#shared"/></node>',
    '</visual_scene></library_visual_scenes>',
    '<scene><instance_visual_scene url="#all"/></scene>',
    '</COLLADA>',
    '',
  ].join('\n');
}

/** Every kind of file the readers know, well-formed until it is mutated. */
export function fileKinds(): FileKind[] {
  const text = (name: string, format: FileKind['format'], original: string): FileKind => ({
    name,
    format,
    mutate: (random) => mutateText(original, random),
  });
  const binary = (name: string, format: FileKind['format'], bytes: Uint8Array, bodyStart: number): FileKind => ({
    name,
    format,
    mutate: (random) => mutateBinary(bytes, bodyStart, random),
  });
  const little = plyBinary(true);
  const big = plyBinary(false);
  const gltf = richGltf();
  return [
    text('obj', 'obj', objText()),
    text('off', 'off', offText()),
    text('dae', 'dae', daeText()),
    text('stl text', 'stl', stlText()),
    binary('stl binary', 'stl', stlBinary(), 84),
    text('ply text', 'ply', plyText()),
    binary('ply little-endian', 'ply', little.bytes, little.bodyStart),
    binary('ply big-endian', 'ply', big.bytes, big.bodyStart),
    {
      name: 'glb',
      format: 'glb',
      mutate(random) {
        const bytes = packTestGlb(mutateGltf(gltf, random));
        return random.integer(8) === 0 ? pick(random, byteEdits)(bytes, random) : bytes;
      },
    },
    {
      name: 'gltf',
      format: 'gltf',
      mutate(random) {
        const { json, binary: data } = mutateGltf(gltf, random);
        const uri = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...data))}`;
        if (typeof json.buffers?.[0] === 'object' && json.buffers[0] !== null) json.buffers[0].uri = uri;
        const written = JSON.stringify(json, null, 1);
        return random.integer(8) === 0 ? mutateText(written, random) : bytesOf(written);
      },
    },
  ];
}

/** Well-formed files of the binary formats, small enough to cut at every byte. */
export function smallBinaryFiles(): { name: string; format: FileKind['format']; bytes: Uint8Array }[] {
  return [
    { name: 'stl', format: 'stl', bytes: stlBinary() },
    { name: 'ply little-endian', format: 'ply', bytes: plyBinary(true).bytes },
    { name: 'ply big-endian', format: 'ply', bytes: plyBinary(false).bytes },
    { name: 'glb', format: 'glb', bytes: packTestGlb(richGltf()) },
  ];
}

/** Well-formed files of the text formats. */
export function smallTextFiles(): { name: string; format: FileKind['format']; bytes: Uint8Array }[] {
  return [
    { name: 'obj', format: 'obj', bytes: bytesOf(objText()) },
    { name: 'off', format: 'off', bytes: bytesOf(offText()) },
    { name: 'dae', format: 'dae', bytes: bytesOf(daeText()) },
    { name: 'stl', format: 'stl', bytes: bytesOf(stlText()) },
    { name: 'ply', format: 'ply', bytes: bytesOf(plyText()) },
  ];
}
