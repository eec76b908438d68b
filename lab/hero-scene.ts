// The scene at the head of the first page: two solids to drag, with their distance, contacts and certified way out.
import { type Box, box, type Pose, pose, type Vec3, vec3 } from 'nearfield/core';
import { formatNumber } from './figures.js';
import { followHand, moveBody, shiftPose } from './hand.js';
import { defineScene } from './scene.js';
import { CURVE } from './viewer/view.js';

/** Frames of the motion that shows until a body is taken. */
const FRAMES = 600;
/** How near counts as contact, and the gap between the proven bounds of the depth. */
const TOLERANCE = 0.005;
const RELATIVE_GAP = 0.01;
const ROOM: Box = { min: [-0.85, -0.45, -0.45], max: [0.85, 0.45, 0.45] };

export const heroScene = defineScene({
  title: 'Two solids',
  chapter: '',
  summary: '',
  motion: { playing: 'play', frame: 'frame', speed: 'speed' },
  controls: {
    play: { kind: 'toggle', label: 'Play', pressedLabel: 'Pause' },
    frame: { kind: 'slider', label: 'Frame', min: 0, max: FRAMES - 1, step: 1, initial: 140 },
    speed: { kind: 'slider', label: 'Speed', min: 1, max: 60, step: 1, initial: 60 },
    hand: { kind: 'moves', label: 'Moved by hand', bodies: ['A', 'B'] },
  },
  follow: (changed) => (changed === 'hand' ? { play: false } : {}),

  async draw({ values, view, figures, run, set }) {
    const meshes = [await run('buildModel', { model: 'letter-e' }), await run('buildModel', { model: 'torus' })];
    const size = box.diagonal(ROOM);
    const start = placesAt(
      values.frame,
      meshes.map(({ positions }) => box.center(box.ofPositions(positions))),
    );
    const poses = meshes.map(({ positions }, body) =>
      moveBody(start[body], box.center(box.ofPositions(positions)), values.hand[body], size),
    );
    view.frame(ROOM);
    for (const [body, mesh] of meshes.entries()) {
      const change = followHand(values.hand[body], size, (move) => set('hand', values.hand.with(body, move)));
      view.addMesh(mesh, {
        pose: poses[body],
        color: body === 0 ? 'bodyA' : 'bodyB',
        shading: 'smooth',
        grip: { drag: 'move', ...change },
      });
    }
    const answer = await run('relatePair', {
      meshA: meshes[0],
      meshB: meshes[1],
      poseA: poses[0].join(' '),
      poseB: poses[1].join(' '),
      tolerance: TOLERANCE,
      relativeGap: RELATIVE_GAP,
    });
    const { distance, contacts, witness, upper, lower, vector, pointA, curves } = answer;
    const overlap = upper > 0;
    if (overlap && pointA !== null) {
      const end = vec3.add(pointA, vector);
      view.addMesh(meshes[0], { pose: shiftPose(poses[0], vector), color: 'ghost', shading: 'smooth', opacity: 0.25 });
      view.addLines(curves, { ...CURVE });
      view.addArrow(pointA, end, { color: 'boundary', width: 4, onTop: true });
      view.addLabel(end, formatNumber(upper, 3));
    } else if (witness !== null) {
      const ends = Float64Array.of(...witness.pointA, ...witness.pointB);
      // By how they stand to each other: apart, within the tolerance, touching.
      const color = distance > TOLERANCE ? 'probe' : distance > 0 ? 'near' : 'touch';
      view.addLines(ends, { color, width: 3, onTop: true });
      view.addPoints(ends, { color, size: 9, onTop: true });
      view.addLabel(vec3.scale(vec3.add(witness.pointA, witness.pointB), 0.5), formatNumber(distance, 3));
    }
    if (!overlap) view.addPoints(Float64Array.from(contacts), { color: 'touch', size: 8, onTop: true });
    const gap = upper > 0 ? (upper - lower) / upper : 0;
    figures('Live', [
      { id: 'distance', label: 'Distance', value: distance, decimals: 4 },
      {
        id: 'contacts',
        label: overlap ? 'Contacts: they overlap' : `Contacts within ${TOLERANCE}`,
        value: overlap ? null : contacts.length / 3,
      },
      {
        id: 'depth',
        label: overlap ? `Way out, proven within ${formatNumber(100 * gap, 2)} %` : 'Way out: not needed',
        value: upper,
        decimals: 4,
      },
    ]);
  },
});

/** The letter stands; the ring swings into it and out again. */
function placesAt(frame: number, centers: readonly Vec3[]): [Pose, Pose] {
  const turn = (2 * Math.PI * frame) / FRAMES;
  const about = (center: Vec3, x: number, y: number, z: number): Pose => pose.create(vec3.subtract([x, y, z], center));
  return [about(centers[0], -0.22, 0, 0), about(centers[1], 0.3 + 0.32 * Math.cos(turn), 0.05 * Math.sin(2 * turn), 0)];
}
