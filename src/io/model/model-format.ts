// The format of a file: by its extension, else by its first bytes.

/** The formats that {@link readModel} reads. */
export const MODEL_FORMATS = ['obj', 'stl', 'ply', 'off', 'gltf', 'glb', 'dae', '3mf', 'step', 'iges', 'ifc'] as const;

/** A file format that can be read. */
export type ModelFormat = (typeof MODEL_FORMATS)[number];

/** Other extensions of formats. */
const OTHER_ENDINGS: Readonly<Record<string, ModelFormat>> = { stp: 'step', p21: 'step', igs: 'iges' };

/** Chosen: bytes of the content that are examined to tell its format. */
const JUDGED_BYTES = 4096;

/** The format by the extension of a file name, a path or a URL without query; null if unknown. */
export function formatOfFileName(fileName: string): ModelFormat | null {
  const ending = /\.([^./\\]+)$/.exec(fileName)?.[1].toLowerCase();
  if (ending === undefined) return null;
  return MODEL_FORMATS.find((format) => format === ending) ?? OTHER_ENDINGS[ending] ?? null;
}

/** The format of a file: by its extension if that is known, else by its content; null if neither is known. */
export function detectFormat(bytes: Uint8Array, fileName = ''): ModelFormat | null {
  return formatOfFileName(fileName) ?? formatOfContent(bytes);
}

function formatOfContent(bytes: Uint8Array): ModelFormat | null {
  const text = new TextDecoder().decode(bytes.slice(0, JUDGED_BYTES));
  if (text.startsWith('glTF')) return 'glb';
  if (text.startsWith('PK\x03\x04')) return '3mf';
  if (/^\s*ISO-10303-21;/.test(text)) return /FILE_SCHEMA\s*\(\s*\(\s*'IFC/i.test(text) ? 'ifc' : 'step';
  // IGES: the section in column 73, and the number of the line in it.
  if (/^.{72}S {6}1\s/.test(text)) return 'iges';
  if (/^ply\s/.test(text)) return 'ply';
  if (/<(\w+:)?COLLADA\b/.test(text)) return 'dae';
  if (isBinaryStl(bytes) || /^\s*solid\b/i.test(text)) return 'stl';
  const first = text.replace(/^\s*(#.*\s*)*/, '');
  if (first.startsWith('{')) return 'gltf';
  if (/^(ST|C|N|4|n)*OFF\b/.test(first)) return 'off';
  if (/^(v|vn|vt|f|o|g|s|mtllib|usemtl)[ \t]/m.test(text)) return 'obj';
  return null;
}

/** Whether the length of the file matches its count of triangles at byte 80. Text never matches by accident: four
 * printable characters there mean more than 500 million triangles. */
export function isBinaryStl(bytes: Uint8Array): boolean {
  if (bytes.length < 84) return false;
  const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true);
  const excess = bytes.length - (84 + 50 * count);
  return excess >= 0 && excess < 50;
}
