// An engine of one cylinder, in millimeters: a crank with its counterweight, a rod, a piston, a block. The piston has 0.2 mm of play in
// its bore, the rod 0.15 mm on its crank pin, and 2 mm are left below the head.
import type { Mechanism } from '../../sweep/mechanism/mechanism-description.js';
import { circle, outline, roundBar, slab, together } from './outlines.js';

/** Chosen: the crank's radius, in mm. */
const CRANK = 22;
/** Chosen: the length of the rod between its pins, in mm. */
const ROD = 80;
/** Chosen: the play of the rod on its pins, in mm. */
const PIN_PLAY = 0.15;
/** Chosen: the radius of the crank pin, in mm. */
const CRANK_PIN = 6;
/** Chosen: the radius of the piston's pin, in mm. */
const WRIST_PIN = 4;

/** @param head the gap between the piston at its top and the head, in mm. */
export function crankEngine(head = 2): Mechanism {
  const reach = CRANK + ROD;
  const top = reach + 12;
  // The counterweight is a sector behind the shaft, cut where it would meet the piston's skirt.
  const weight = Array.from({ length: 25 }, (_, i): [number, number] => {
    const angle = (2 * Math.PI) / 3 + (2 * Math.PI * i) / 72;
    return [31 * Math.cos(angle), 31 * Math.sin(angle)];
  });
  const web = outline([-4, -13], [CRANK, -10], [CRANK + 9, -4], [CRANK + 9, 4], [CRANK, 10], [-4, 13], ...weight);
  const crank = together(slab([web], -13, -6), slab([circle(CRANK_PIN, CRANK)], -8, 5), slab([circle(9)], -30, -10));
  const bar = [
    roundBar(ROD, 11, 8),
    circle(CRANK_PIN + PIN_PLAY, 0, 0, true),
    circle(WRIST_PIN + PIN_PLAY, ROD, 0, true),
  ];
  const crown = outline([-18, -20], [12, -20], [12, 20], [-18, 20], [-18, 14], [4, 14], [4, -14], [-18, -14]);
  const piston = together(slab([crown], -14, 14), slab([circle(WRIST_PIN)], -14, 14));
  const block = outline(
    ...([
      [60, -28],
      [top + head + 8, -28],
      [top + head + 8, 28],
      [60, 28],
      [60, 20.2],
      [top + head, 20.2],
      [top + head, -20.2],
      [60, -20.2],
    ] as const),
  );
  return {
    type: 'mechanism',
    parts: [
      { name: 'block', mesh: slab([block], -16, 16) },
      { name: 'crank', mesh: crank },
      { name: 'rod', mesh: slab(bar, -4.5, 4.5), pose: [CRANK, 0, 0, 0, 0, 0, 1] },
      { name: 'piston', mesh: piston, pose: [reach, 0, 0, 0, 0, 0, 1] },
    ],
    joints: [
      { name: 'crank', type: 'revolute', parent: 'block', child: 'crank', range: [0, 2 * Math.PI] },
      { name: 'rod', type: 'revolute', parent: 'crank', child: 'rod', origin: [CRANK, 0, 0, 0, 0, 0, 1] },
      { name: 'piston', type: 'prismatic', parent: 'block', child: 'piston', axis: [1, 0, 0] },
    ],
    loops: [{ a: 'rod', b: 'piston', at: [reach, 0, 0], type: 'pin' }],
    allowed: [{ a: 'rod', b: 'piston' }],
    clearance: 0.1,
  };
}
