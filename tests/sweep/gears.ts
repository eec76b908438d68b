// Spur gears with involute flanks, as polygons and as meshes.
import type { Mesh } from '../../src/mesh/mesh.js';
import { extrudePolygon } from '../../src/models/parts/extrude.js';

/** A gear of a module, with a pressure angle of 20°, thinned by `backlash` along its pitch circle. */
export function gearOutline(teeth: number, module: number, backlash: number, points = 6): Float64Array {
  const alpha = Math.PI / 9;
  const pitch = (teeth * module) / 2;
  const base = pitch * Math.cos(alpha);
  const [tip, root] = [pitch + module, pitch - 1.25 * module];
  const involute = (t: number): number => Math.tan(t) - t;
  const half = Math.PI / (2 * teeth) - backlash / (2 * pitch) + involute(alpha);
  const ring: number[] = [];
  for (let i = 0; i < teeth; i++) {
    const middle = (2 * Math.PI * i) / teeth;
    const flank: [number, number][] = [[root, half + 0.02 / teeth]];
    for (let k = 0; k <= points; k++) {
      const r = Math.max(base, root) + ((tip - Math.max(base, root)) * k) / points;
      flank.push([r, half - involute(Math.acos(Math.min(1, base / r)))]);
    }
    for (const [r, angle] of flank) ring.push(r * Math.cos(middle - angle), r * Math.sin(middle - angle));
    for (const [r, angle] of flank.reverse()) ring.push(r * Math.cos(middle + angle), r * Math.sin(middle + angle));
  }
  return Float64Array.from(ring);
}

export function gearMesh(teeth: number, module: number, backlash: number, width: number, points = 6, layers = 1): Mesh {
  const { positions, indices } = extrudePolygon(
    { rings: [gearOutline(teeth, module, backlash, points)] },
    { depth: width, layers },
  );
  return { positions: positions.map((value, i) => (i % 3 === 2 ? value - width / 2 : value)), indices };
}
