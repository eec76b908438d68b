// What the suite sweep moves: trains of gears, and plants of parts with keyframes.
import { createRandom, type Pose, quat } from 'nearfield/core';
import { extrudePolygon, findModel, type Mesh } from 'nearfield/mesh';
import type { Mechanism, MovingAssembly } from 'nearfield/sweep';

/** The module of all gears, and how much teeth are thinned along the pitch circle, in mm. */
const MODULE = 2;
const BACKLASH = 0.4;

/** Involute flanks with a pressure angle of 20 degrees. */
function gear(teeth: number, points: number): Mesh {
  const alpha = Math.PI / 9;
  const pitch = (teeth * MODULE) / 2;
  const base = pitch * Math.cos(alpha);
  const [tip, root] = [pitch + MODULE, pitch - 1.25 * MODULE];
  const involute = (t: number): number => Math.tan(t) - t;
  const half = Math.PI / (2 * teeth) - BACKLASH / (2 * pitch) + involute(alpha);
  const start = Math.max(base, root);
  const ring: number[] = [];
  for (let i = 0; i < teeth; i++) {
    const middle = (2 * Math.PI * i) / teeth;
    const flank: [number, number][] = [[root, half + 0.02 / teeth]];
    for (let k = 0; k <= points; k++) {
      const r = start + ((tip - start) * k) / points;
      flank.push([r, half - involute(Math.acos(Math.min(1, base / r)))]);
    }
    for (const [r, angle] of flank) ring.push(r * Math.cos(middle - angle), r * Math.sin(middle - angle));
    for (const [r, angle] of flank.reverse()) ring.push(r * Math.cos(middle + angle), r * Math.sin(middle + angle));
  }
  return extrudePolygon({ rings: [Float64Array.from(ring)] }, { depth: 10 });
}

/** Gears in a row, each turned by the one before; the first makes a whole turn. */
export function gearTrain(count: number, points: number): Mechanism {
  const parts: Mechanism['parts'][number][] = [{ name: 'frame' }];
  const joints: Mechanism['joints'][number][] = [];
  const couplings: NonNullable<Mechanism['couplings']>[number][] = [];
  let [x, last, ratio, phase] = [0, 0, 1, 0];
  for (let i = 0; i < count; i++) {
    const teeth = i % 2 === 0 ? 24 : 18 + (i % 5);
    if (i > 0) {
      x += ((teeth + last) * MODULE) / 2 + 0.05;
      // A gap faces the tooth of the gear before.
      phase = Math.PI + ((2 * Math.PI) / teeth) * (0.5 - phase / ((2 * Math.PI) / last));
      ratio *= -last / teeth;
      couplings.push({ joint: `shaft ${i}`, of: 'shaft 0', ratio });
    }
    const pose = [x, 0, 0, 0, 0, Math.sin(phase / 2), Math.cos(phase / 2)];
    parts.push({ name: `gear ${i}`, mesh: gear(teeth, points), pose });
    const origin = [x, 0, 0, 0, 0, 0, 1];
    joints.push({
      name: `shaft ${i}`,
      type: 'revolute',
      parent: 'frame',
      child: `gear ${i}`,
      origin,
      range: [0, 2 * Math.PI],
    });
    last = teeth;
  }
  return { type: 'mechanism', parts, joints, couplings };
}

/** Parts on a grid, some of which go around among the others, by keyframes. */
export function movingPlant(count: number, moving: number, frames: number): MovingAssembly {
  const random = createRandom(3);
  const meshes = ['bent-torus', 'wedge', 'cup'].map((name) => findModel(name).build());
  const side = Math.ceil(Math.cbrt(count));
  const parts = Array.from({ length: count }, (_, i) => {
    const at = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)].map((k) => 4 * k);
    const turn = random.rotation();
    const axis = random.direction();
    const keys = Array.from({ length: i < moving ? frames : 1 }, (_, k) => {
      const t = k / Math.max(1, frames - 1);
      const pose: Pose = [
        at[0] + (i < moving ? 2 + 1.5 * Math.sin(2 * Math.PI * t) : 0),
        at[1] + (i < moving ? 4 * side * t : 0),
        at[2] + (i < moving ? 2 : 0),
        ...quat.multiply(quat.fromAxisAngle(axis, 2 * Math.PI * t), turn),
      ];
      return { time: k, pose };
    });
    return { name: `part ${i}`, mesh: meshes[i % meshes.length], keys };
  });
  return { type: 'frames', parts };
}
