// 3MF packages for tests.
import { writeZip, type ZipEntry } from '../../src/io/zip/write-zip.js';
import { bytesOf, type PlainMesh } from './model-files.js';

const CORE = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
const PRODUCTION = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';

/** An object with a mesh. */
export function meshObject(id: number, { positions, indices }: PlainMesh, attributes = ''): string {
  const vertices: string[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    vertices.push(`<vertex x="${positions[i]}" y="${positions[i + 1]}" z="${positions[i + 2]}"/>`);
  }
  const triangles: string[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    triangles.push(`<triangle v1="${indices[i]}" v2="${indices[i + 1]}" v3="${indices[i + 2]}"/>`);
  }
  return `<object id="${id}" ${attributes}><mesh><vertices>${vertices.join('\n')}</vertices><triangles>${triangles.join('\n')}</triangles></mesh></object>`;
}

/** The XML of a part of the package. */
export function modelXml(resources: string, build: string, attributes = 'unit="millimeter"'): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<model ${attributes} xml:lang="en-US" xmlns="${CORE}" xmlns:p="${PRODUCTION}">\n` +
    `<resources>${resources}</resources>\n<build>${build}</build></model>`
  );
}

/** A package with the model and other parts. */
export function pack3mf(model: string, others: readonly ZipEntry[] = []): Promise<Uint8Array> {
  const relation =
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
    '<Relationship Target="/3D/main.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>';
  return writeZip([
    { path: '_rels/.rels', bytes: bytesOf(relation) },
    { path: '3D/main.model', bytes: bytesOf(model) },
    ...others,
  ]);
}
