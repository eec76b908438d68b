// Chains as URDF files, with the SRDF that says which links may touch.
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyPose } from '../../core/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { ChainPlanRobot, PlanJoint } from '../robot/chain-description.js';

/** A robot as files. */
export interface WrittenUrdf {
  readonly urdf: string;
  readonly srdf: string;
  /** Meshes by file name, relative to the URDF, each once: `writeModel(mesh, 'obj')` makes the file. */
  readonly meshes: ReadonlyMap<string, Mesh>;
}

/** Writes a chain as `readUrdf` and other programs read it. Its base, start and goal are not part of a URDF. */
export function writeUrdf(robot: ChainPlanRobot): WrittenUrdf {
  if (!Array.isArray(robot?.links) || !Array.isArray(robot.joints)) {
    throw new NearfieldError(
      'bad-argument',
      "There is no chain to write; give { type: 'chain', links: […], joints: […] }.",
    );
  }
  const name = robot.name ?? 'robot';
  const meshes = new Map<string, Mesh>();
  const fileOf = (mesh: Mesh, link: string): string => {
    for (const [file, other] of meshes) if (other === mesh) return file;
    const stem = link.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'link';
    let file = `meshes/${stem}.obj`;
    for (let i = 2; meshes.has(file); i++) file = `meshes/${stem}-${i}.obj`;
    meshes.set(file, mesh);
    return file;
  };
  const links = robot.links.map((link: ChainPlanRobot['links'][number]) => {
    if (link.mesh === undefined) return `  <link name=${quote(link.name)}/>`;
    const geometry = `<geometry><mesh filename=${quote(fileOf(link.mesh, link.name))}/></geometry>`;
    const shapes = `    <visual>${geometry}</visual>\n    <collision>${geometry}</collision>`;
    return `  <link name=${quote(link.name)}>\n${shapes}\n  </link>`;
  });
  const joints = robot.joints.map(writeJoint);
  const pairs = (robot.ignore ?? []).map(([a, b]) => {
    return `  <disable_collisions link1=${quote(a)} link2=${quote(b)} reason="User"/>`;
  });
  const file = (parts: readonly string[]): string => {
    return `<?xml version="1.0"?>\n<robot name=${quote(name)}>\n${parts.map((part) => `${part}\n`).join('')}</robot>\n`;
  };
  return { urdf: file([...links, ...joints]), srdf: file(pairs), meshes };
}

function writeJoint({ name, type, parent, child, origin, axis = [1, 0, 0], limits, mimic }: PlanJoint): string {
  const lines = [`    <parent link=${quote(parent)}/>`, `    <child link=${quote(child)}/>`];
  if (origin !== undefined) lines.push(`    <origin ${writeOrigin(origin)}/>`);
  if (type !== 'fixed') {
    lines.push(`    <axis xyz="${axis[0]} ${axis[1]} ${axis[2]}"/>`);
    // Effort and velocity are needed by the format.
    const range = limits === undefined ? '' : `lower="${limits[0]}" upper="${limits[1]}" `;
    lines.push(`    <limit ${range}effort="1000" velocity="1"/>`);
  }
  if (mimic !== undefined) {
    const { factor = 1, offset = 0 } = mimic;
    lines.push(`    <mimic joint=${quote(mimic.joint)} multiplier="${factor}" offset="${offset}"/>`);
  }
  return `  <joint name=${quote(name)} type="${type}">\n${lines.join('\n')}\n  </joint>`;
}

/** Roll, pitch and yaw about the fixed axes in turn. Looking straight up or down, all of the turn is yaw. */
function writeOrigin(origin: ReadonlyPose): string {
  const [px, py, pz, x, y, z, w] = Array.from(origin);
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - x * z)));
  const isSteep = Math.abs(sine) > 1 - 1e-12;
  // The arc sine has half the digits near ±90 degrees.
  const cosine = Math.hypot(1 - 2 * (y * y + z * z), 2 * (x * y + w * z));
  const roll = isSteep ? 0 : Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
  const yaw = isSteep
    ? Math.atan2(-2 * (x * y - w * z), 1 - 2 * (x * x + z * z))
    : Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z));
  return `xyz="${px} ${py} ${pz}" rpy="${roll} ${Math.atan2(sine, cosine)} ${yaw}"`;
}

function quote(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `"${escaped}"`;
}
