// Problems as problem files: the text, and the meshes that it names.
import { NearfieldError } from '../../core/errors.js';
import type { ChainPlanRobot } from '../../kinematics/robot/chain-description.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { PlanProblem, PlanRobot } from './plan-problem.js';

/** A problem file, and the files that have to lie beside it. */
export interface WrittenProblem {
  readonly text: string;
  /** Meshes by file name, each once: `writeModel(mesh, 'obj')` makes the file. */
  readonly meshes: ReadonlyMap<string, Mesh>;
}

/** Writes a problem as `readPlanProblem` and `nearfield plan` read it. */
export function writePlanProblem(problem: PlanProblem): WrittenProblem {
  if (!Array.isArray(problem?.robots) || !Array.isArray(problem.environment)) {
    throw new NearfieldError('bad-argument', 'There is no problem to write; give { robots: […], environment: […] }.');
  }
  const meshes = new Map<string, Mesh>();
  const fileOf = (mesh: Mesh, wanted: string): string => {
    for (const [file, other] of meshes) if (other === mesh) return file;
    const stem = wanted.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') || 'model';
    let file = `${stem}.obj`;
    for (let i = 2; meshes.has(file); i++) file = `${stem}-${i}.obj`;
    meshes.set(file, mesh);
    return file;
  };
  const described = {
    format: 'nearfield-plan-problem',
    version: 1,
    ...problem,
    robots: problem.robots.map((robot: PlanRobot, i) => {
      const name = robot.name ?? `robot ${i + 1}`;
      if (robot.type !== 'chain') {
        const { mesh, ...rest } = robot;
        return { ...rest, name, model: fileOf(mesh, name) };
      }
      const links = robot.links.map((link: ChainPlanRobot['links'][number]) => {
        const { mesh, ...rest } = link;
        return mesh === undefined ? rest : { ...rest, model: fileOf(mesh, `${name} ${link.name}`) };
      });
      return { ...robot, name, links };
    }),
    environment: problem.environment.map(({ mesh, ...rest }, i) => {
      return { model: fileOf(mesh, `environment ${i + 1}`), ...rest };
    }),
  };
  return { text: `${JSON.stringify(described, writeNumbers, 1)}\n`, meshes };
}

/** JSON has no typed arrays. */
function writeNumbers(_: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value;
}
