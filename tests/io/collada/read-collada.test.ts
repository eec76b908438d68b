// COLLADA files written by hand, with what they must read as.
import { describe, expect, test } from 'vitest';
import { detectFormat, formatOfFileName, type ModelFile, mergeModel, readModel } from '../../../src/io/index.js';
import { bytesOf } from '../../generators/model-files.js';
import { failureOf, isClosed, readText, volume6 } from '../model/read-file.js';

/** A unit cube's corners: bit 0 of the id is x, bit 1 is y, bit 2 is z. */
const CORNERS = Array.from({ length: 8 }, (_, i) => `${i & 1} ${(i >> 1) & 1} ${i >> 2}`).join(' ');
const QUADS = ['0 2 3 1', '4 5 7 6', '0 1 5 4', '2 6 7 3', '0 4 6 2', '1 3 7 5'];

interface Parts {
  unit?: string;
  positions?: string;
  primitives?: string;
  nodes?: string;
  extra?: string;
  scene?: string;
}

function file({
  unit = '',
  positions = CORNERS,
  primitives = polylist(QUADS),
  nodes,
  extra = '',
  scene,
}: Parts): string {
  const count = positions.trim().split(/\s+/).length / 3;
  return `<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>${unit}<up_axis>Z_UP</up_axis></asset>
  <library_geometries>
    <geometry id="g" name="cube"><mesh>
      <source id="p"><float_array id="pa" count="${3 * count}">${positions}</float_array>
        <technique_common><accessor source="#pa" count="${count}" stride="3"/></technique_common></source>
      <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
      ${primitives}
    </mesh></geometry>
  </library_geometries>
  ${extra}
  <library_visual_scenes><visual_scene id="s">${nodes ?? '<node id="n"><instance_geometry url="#g"/></node>'}</visual_scene></library_visual_scenes>
  ${scene ?? '<scene><instance_visual_scene url="#s"/></scene>'}
</COLLADA>`;
}

const input = '<input semantic="VERTEX" source="#v" offset="0"/>';

function polylist(polygons: readonly string[]): string {
  const counts = polygons.map((polygon) => polygon.split(' ').length).join(' ');
  return `<polylist count="${polygons.length}">${input}<vcount>${counts}</vcount><p>${polygons.join(' ')}</p></polylist>`;
}

/** Where a point of the first part's mesh goes. */
function placed({ parts }: ModelFile, part: number, [x, y, z]: [number, number, number]): number[] {
  const m = parts[part].transform;
  return [0, 4, 8].map((row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3]);
}

describe('readCollada', () => {
  test('polygons, ids as in the file, name and format', async () => {
    const model = await readText('dae', file({}));
    expect(model).toMatchObject({ format: 'dae', parts: [{ name: 'n', meshIndex: 0 }], meshes: [{ name: 'cube' }] });
    const { mesh } = model.meshes[0];
    expect(mesh.positions).toHaveLength(24);
    expect(mesh.indices.slice(0, 6)).toEqual(Uint32Array.of(0, 2, 3, 0, 3, 1));
    expect(isClosed(mesh)).toBe(true);
    expect(volume6(mesh)).toBe(6);
    expect(model.warnings).toBeUndefined();
  });

  test('triangles with more inputs, polygons one by one, fans and strips are the same cube', async () => {
    const fan = (quad: string): string => {
      const [a, b, c, d] = quad.split(' ');
      return `${a} ${b} ${c} ${a} ${c} ${d}`;
    };
    const flat = QUADS.map(fan).join(' ');
    const interleaved = flat
      .split(' ')
      .map((id, i) => `${i} ${id} 7`)
      .join(' ');
    const strip = (quad: string): string => {
      const [a, b, c, d] = quad.split(' ');
      return `${b} ${c} ${a} ${d}`;
    };
    const same = [
      `<triangles count="12">${input}<p>${flat}</p></triangles>`,
      '<triangles count="12"><input semantic="NORMAL" source="#x" offset="0"/><input semantic="VERTEX" source="#v" ' +
        `offset="1"/><input semantic="TEXCOORD" source="#x" offset="2" set="1"/><p>${interleaved}</p></triangles>`,
      `<polygons count="6">${input}${QUADS.map((quad) => `<p>${quad}</p>`).join('')}</polygons>`,
      `<trifans count="6">${input}${QUADS.map((quad) => `<p>${quad}</p>`).join('')}</trifans>`,
      `<tristrips count="6">${input}${QUADS.map((quad) => `<p>${strip(quad)}</p>`).join('')}</tristrips>`,
      `${polylist(QUADS.slice(0, 2))}${polylist(QUADS.slice(2))}<lines count="1">${input}<p>0 1</p></lines>`,
    ];
    for (const primitives of same) {
      const { mesh } = (await readText('dae', file({ primitives }))).meshes[0];
      expect(isClosed(mesh), primitives).toBe(true);
      expect(volume6(mesh), primitives).toBe(6);
    }
  });

  test('several primitives become groups named after their materials', async () => {
    const primitives = polylist(QUADS.slice(0, 2)).replace('count', 'material="red" count') + polylist(QUADS.slice(2));
    const { groups } = (await readText('dae', file({ primitives }))).meshes[0];
    expect(groups).toEqual([
      { name: 'red', firstTriangle: 0, triangleCount: 4 },
      { name: '', firstTriangle: 4, triangleCount: 8 },
    ]);
  });

  test('a concave polygon is not fanned over its gap', async () => {
    // A U with its first corner at the rim, where a fan would cross the gap.
    const outline = [3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3, 0, 0, 3, 0];
    const positions = Array.from({ length: 8 }, (_, i) => `${outline[2 * i]} ${outline[2 * i + 1]} 0`).join(' ');
    const model = await readText('dae', file({ positions, primitives: polylist(['0 1 2 3 4 5 6 7']) }));
    const { mesh } = model.meshes[0];
    let area = 0;
    for (let i = 0; i < mesh.indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => mesh.positions.subarray(3 * mesh.indices[i + k]));
      area += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    }
    expect(area).toBeCloseTo(7, 12);
  });

  test('nodes: transformations in the order of the file, children, instances of nodes, the unit', async () => {
    const extra =
      '<library_nodes><node id="arm"><translate>0 0 1</translate><instance_geometry url="#g"/></node></library_nodes>';
    const nodes = `<node name="base"><translate>1 2 3</translate><rotate>0 0 2 90</rotate><scale>2 1 1</scale>
      <instance_geometry url="#g"/>
      <node id="child"><matrix>0 0 1 10  0 1 0 20  -1 0 0 30  0 0 0 1</matrix><instance_geometry url="#g"/></node>
      <instance_node url="#arm"/></node>`;
    const model = await readText('dae', file({ unit: '<unit name="inch" meter="0.0254"/>', nodes, extra }));
    expect(model.parts.map(({ name, meshIndex }) => [name, meshIndex])).toEqual([
      ['base', 0],
      ['child', 0],
      ['arm', 0],
    ]);
    expect(model.meshes).toHaveLength(1);
    // x doubled, turned to y, moved; then to meters.
    const base = ([x, y, z]: number[]): number[] => [1 - y, 2 + 2 * x, 3 + z].map((value) => 0.0254 * value);
    const close = (part: number, point: [number, number, number], want: number[]): void => {
      placed(model, part, point).forEach((value, k) => {
        expect(value).toBeCloseTo(want[k], 12);
      });
    };
    close(0, [1, 0.5, 0.25], base([1, 0.5, 0.25]));
    close(1, [1, 0.5, 0.25], base([0.25 + 10, 0.5 + 20, -1 + 30]));
    close(2, [1, 0.5, 0.25], base([1, 0.5, 1.25]));
    expect(mergeModel(model).indices).toHaveLength(3 * 36);
  });

  test('without a scene the first visual scene counts, and without any every geometry', async () => {
    expect((await readText('dae', file({ scene: '' }))).parts).toHaveLength(1);
    const bare = file({ scene: '' }).replace(/<library_visual_scenes>.*<\/library_visual_scenes>/, '');
    expect((await readText('dae', bare)).parts).toMatchObject([{ name: 'cube' }]);
  });

  test('is recognized by its extension and by its content', async () => {
    expect(formatOfFileName('link.DAE')).toBe('dae');
    const bytes = bytesOf(file({}));
    expect(detectFormat(bytes)).toBe('dae');
    expect((await readModel(bytes)).format).toBe('dae');
    const prefixed = file({})
      .replaceAll(/<(\/?)(\w)/g, '<$1c:$2')
      .replace('xmlns=', 'xmlns:c=');
    expect(volume6((await readModel(bytesOf(prefixed.replace('<?c:xml', '<?xml')))).meshes[0].mesh)).toBe(6);
  });

  test('skins and holes are ignored with a warning', async () => {
    const nodes = '<node><instance_geometry url="#g"/><instance_controller url="#g"/></node>';
    expect((await readText('dae', file({ nodes }))).warnings?.[0]).toMatch(/1 skinned geometries/);
    const holes = `<polygons count="1">${input}<ph><p>0 2 3 1</p><h>4 5 7</h></ph></polygons>`;
    expect((await readText('dae', file({ primitives: holes }))).warnings?.[0]).toMatch(/holes/);
  });

  test.each([
    ['file-format', '<a><b></a>'],
    ['file-format', '<svg/>'],
    ['file-truncated', file({}).slice(0, 900)],
    ['file-truncated', file({}).replace('count="8"', 'count="9"')],
    ['file-truncated', file({ primitives: polylist(QUADS).replace('4 4', '4 40') })],
    ['index-out-of-range', file({ primitives: polylist(['0 1 8']) })],
    ['index-out-of-range', file({ primitives: polylist(['0 1 -2']) })],
    ['non-finite', file({ positions: CORNERS.replace('1', 'NaN') })],
    ['non-finite', file({ positions: CORNERS.replace('1', '1e999') })],
    ['file-format', file({ positions: CORNERS.replace('1', '1,5') })],
    ['empty-mesh', file({ primitives: `<lines count="1">${input}<p>0 1</p></lines>` })],
    ['empty-mesh', file({ nodes: '<node/>' })],
    ['file-format', file({ nodes: '<node><instance_geometry url="#nothing"/></node>' })],
    ['unsupported', file({ nodes: '<node><instance_geometry url="other.dae#g"/></node>' })],
    ['unsupported', file({ nodes: '<node><skew>1 2 3 4 5 6 7</skew></node>' })],
    ['unsupported', file({ nodes: '<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix></node>' })],
    ['file-format', file({ nodes: '<node><translate>1 2</translate></node>' })],
    ['too-large', file({ nodes: '<node id="n"><instance_node url="#n"/></node>' })],
    ['file-format', file({ unit: '<unit meter="0"/>' })],
    ['file-format', file({ primitives: polylist(QUADS).replace('VERTEX', 'NORMAL') })],
  ])('%s: a damaged file is refused', async (code, text) => {
    const error = await failureOf(bytesOf(text), { format: 'dae' });
    expect(error.message).toMatch(/^(line \d+:|the scene)/);
    expect(error.code).toBe(code);
  });

  test.each([
    ['with a surface', '<instance_geometry url="#g"/>'],
    ['with nothing', ''],
  ])('nodes that double at every level end in an error, not in a hang: %s', async (_name, held) => {
    const error = await failureOf(bytesOf(doubling(40, held)), {});
    expect(error.code).toBe('too-large');
  });

  test('more parts than are allowed are refused', async () => {
    const held = '<instance_geometry url="#g"/>'.repeat(2 ** 10 + 1);
    const error = await failureOf(bytesOf(doubling(10, held)), {});
    expect(error.code).toBe('too-large');
    expect(error.message).toContain('parts');
  });
});

/** Each node holds the next one twice; the last, which is there 2 ** levels times, holds this. */
function doubling(levels: number, held: string): string {
  const nodes = Array.from({ length: levels }, (_, i) => {
    const next = `<instance_node url="#l${i + 1}"/>`;
    return `<node id="l${i}">${next}${next}</node>`;
  });
  const extra = `<library_nodes>${nodes.join('')}<node id="l${levels}">${held}</node></library_nodes>`;
  return file({ extra, nodes: '<node><instance_node url="#l0"/></node>' });
}
