// Engines of the plane beside us: Rapier2D, planck and matter-js on the same bodies, as triangles where they are not convex or
// have more corners than an engine takes. Used where someone has installed them into bench/.peers.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { triangulatePolygon } from 'nearfield/mesh';
import type { PlaneLayout } from '../scenarios/plane-shapes.js';
import { findPeer } from './find-peer.js';

export const ENGINES_MISSING =
  'Engines that were left out: npm install --no-save --prefix bench/.peers @dimforge/rapier2d-compat planck@1.5.0 matter-js@0.20.0 brings them.';

/** A scene that a peer runs: bodies in the order of the layout, walls around the room, no friction, restitution 1. */
export interface PlaneEngineRun {
  readonly name: string;
  step(): void;
  /** x, y, angle, vx, vy, spin of a body's frame. */
  read(body: number): readonly number[];
}

type Build = (layout: PlaneLayout, timestep: number) => PlaneEngineRun;

/** Those that are installed. */
export async function loadPlaneEngines(): Promise<Build[]> {
  const builds = await Promise.all([loadRapier(), loadPlanck(), loadMatter()]);
  return builds.filter((build) => build !== null);
}

/** x, y of each corner of each convex part: the ring itself, or triangles. */
function partsOf(ring: Float64Array, mostCorners: number): number[][] {
  const count = ring.length / 2;
  let isConvex = count <= mostCorners;
  for (let i = 0; i < count && isConvex; i++) {
    const [a, b, c] = [i, (i + 1) % count, (i + 2) % count].map((k) => [ring[2 * k], ring[2 * k + 1]]);
    isConvex = (b[0] - a[0]) * (c[1] - b[1]) > (b[1] - a[1]) * (c[0] - b[0]);
  }
  if (isConvex) return [Array.from(ring)];
  const { points, triangles } = triangulatePolygon({ rings: [ring] });
  return Array.from({ length: triangles.length / 3 }, (_, t) =>
    Array.from(triangles.subarray(3 * t, 3 * t + 3)).flatMap((k) => [points[2 * k], points[2 * k + 1]]),
  );
}

function wallsOf({ box }: PlaneLayout): number[][] {
  const [x0, y0, x1, y1] = box!;
  // Center and half sides.
  return [
    [(x0 + x1) / 2, y0 - 0.5, (x1 - x0) / 2 + 1, 0.5],
    [(x0 + x1) / 2, y1 + 0.5, (x1 - x0) / 2 + 1, 0.5],
    [x0 - 0.5, (y0 + y1) / 2, 0.5, (y1 - y0) / 2],
    [x1 + 0.5, (y0 + y1) / 2, 0.5, (y1 - y0) / 2],
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: the peers' own declarations are not installed with us.
type Loose = any;

async function load(name: string, file: string): Promise<{ module: Loose; version: string } | null> {
  const found = findPeer(name);
  if (found === null) return null;
  return { module: await import(pathToFileURL(join(found.folder, file)).href), version: found.version };
}

async function loadRapier(): Promise<Build | null> {
  const found = await load('@dimforge/rapier2d-compat', 'dist/rapier.mjs');
  if (found === null) return null;
  const rapier = found.module.default ?? found.module;
  await rapier.init();
  return (layout, timestep) => {
    const world = new rapier.World({ x: 0, y: 0 });
    world.timestep = timestep;
    const collide = (desc: Loose, body?: Loose): void => {
      const plain = desc.setRestitution(1).setFriction(0).setDensity(1000);
      if (body === undefined) world.createCollider(plain);
      else world.createCollider(plain, body);
    };
    for (const [x, y, w, h] of wallsOf(layout)) collide(rapier.ColliderDesc.cuboid(w, h).setTranslation(x, y));
    const bodies = layout.starts.map(({ ring, pose: [x, y, angle], velocity: [vx, vy, spin] }) => {
      const desc = rapier.RigidBodyDesc.dynamic().setTranslation(x, y).setRotation(angle);
      const body = world.createRigidBody(desc.setLinvel(vx, vy).setAngvel(spin).setCanSleep(false).setCcdEnabled(true));
      for (const part of partsOf(ring, 64)) collide(rapier.ColliderDesc.convexHull(Float32Array.from(part)), body);
      return body;
    });
    return {
      name: `Rapier2D ${found.version}`,
      step: () => world.step(),
      read: (i) => {
        const [p, v] = [bodies[i].translation(), bodies[i].linvel()];
        return [p.x, p.y, bodies[i].rotation(), v.x, v.y, bodies[i].angvel()];
      },
    };
  };
}

async function loadPlanck(): Promise<Build | null> {
  const found = await load('planck', 'dist/planck.mjs');
  if (found === null) return null;
  const planck = found.module.World ? found.module : found.module.default;
  return (layout, timestep) => {
    const world = new planck.World({ gravity: planck.Vec2(0, 0), allowSleep: false });
    const fixture = { density: 1000, friction: 0, restitution: 1 };
    for (const [x, y, w, h] of wallsOf(layout)) {
      world.createBody({ position: planck.Vec2(x, y) }).createFixture({ shape: new planck.Box(w, h), ...fixture });
    }
    const bodies = layout.starts.map(({ ring, pose: [x, y, angle], velocity: [vx, vy, spin] }) => {
      const body = world.createBody({ type: 'dynamic', position: planck.Vec2(x, y), angle, bullet: true });
      for (const part of partsOf(ring, 12)) {
        const corners = Array.from({ length: part.length / 2 }, (_, k) => planck.Vec2(part[2 * k], part[2 * k + 1]));
        body.createFixture({ shape: new planck.Polygon(corners), ...fixture });
      }
      body.setLinearVelocity(planck.Vec2(vx, vy));
      body.setAngularVelocity(spin);
      return body;
    });
    return {
      name: `planck ${found.version}`,
      step: () => world.step(timestep),
      read: (i) => {
        const [p, v] = [bodies[i].getPosition(), bodies[i].getLinearVelocity()];
        return [p.x, p.y, bodies[i].getAngle(), v.x, v.y, bodies[i].getAngularVelocity()];
      },
    };
  };
}

async function loadMatter(): Promise<Build | null> {
  const found = await load('matter-js', 'build/matter.js');
  if (found === null) return null;
  const matter = found.module.default ?? found.module;
  // matter-js works in pixels, and its speeds are of 1/60 s: a meter is 100 pixels.
  const scale = 100;
  return (layout, timestep) => {
    const { Engine, Bodies, Body, Composite } = matter;
    const engine = Engine.create({ gravity: { x: 0, y: 0, scale: 0 } });
    const options = { friction: 0, frictionStatic: 0, frictionAir: 0, restitution: 1, slop: 0.01 };
    for (const [x, y, w, h] of wallsOf(layout)) {
      const sides = [2 * scale * w, 2 * scale * h];
      Composite.add(
        engine.world,
        Bodies.rectangle(scale * x, scale * y, sides[0], sides[1], { ...options, isStatic: true }),
      );
    }
    const bodies = layout.starts.map(({ ring, pose: [x, y, angle], velocity: [vx, vy, spin] }) => {
      const parts = partsOf(ring, 64).map((part) => {
        const corners = Array.from({ length: part.length / 2 }, (_, k) => ({
          x: scale * part[2 * k],
          y: scale * part[2 * k + 1],
        }));
        const center = matter.Vertices.centre(corners);
        return Body.create({ ...options, position: center, vertices: corners });
      });
      const body = parts.length === 1 ? parts[0] : Body.create({ ...options, parts });
      // Placed by its center of mass; where the shape's own frame is follows from it.
      const own = { x: body.position.x, y: body.position.y };
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      Body.setPosition(body, { x: scale * x + c * own.x - s * own.y, y: scale * y + s * own.x + c * own.y });
      Body.setAngle(body, angle);
      Body.setVelocity(body, { x: (scale * vx) / 60, y: (scale * vy) / 60 });
      Body.setAngularVelocity(body, spin / 60);
      Composite.add(engine.world, body);
      return { body, own };
    });
    return {
      name: `matter-js ${found.version}`,
      step: () => Engine.update(engine, 1000 * timestep),
      read: (i) => {
        const { body, own } = bodies[i];
        const [c, s] = [Math.cos(body.angle), Math.sin(body.angle)];
        const x = (body.position.x - c * own.x + s * own.y) / scale;
        const y = (body.position.y - s * own.x - c * own.y) / scale;
        const [v, w] = [Body.getVelocity(body), Body.getAngularVelocity(body)];
        return [x, y, body.angle, (60 * v.x) / scale, (60 * v.y) / scale, 60 * w];
      },
    };
  };
}
