// Whether the apple of the swallowing snake is inside of the gullet.
import { surfaceMesh } from 'nearfield/elastic';
import { MeshQuery } from 'nearfield/mesh';
import type { ElasticSetting } from '../../bench/scenarios/elastic/elastic-scene.js';

/** The share of rays from the nodes of the apple, square to the snake's axis, that hit the snake. 1 where it is all around. */
export function gulletAround({ bodies }: ElasticSetting): number {
  const [snake, apple] = bodies.map(({ body }) => body);
  const deformed = { positions: snake.positions, elements: snake.mesh.elements };
  const query = new MeshQuery(surfaceMesh(deformed).mesh);
  // The way the head points, down in the plane z = 0.
  const [ax, ay] = [Math.cos(-1.05), Math.sin(-1.05)];
  let [hits, rays] = [0, 0];
  for (let node = 0; node < apple.positions.length / 3; node++) {
    const from = apple.positions.subarray(3 * node, 3 * node + 3) as unknown as [number, number, number];
    for (let k = 0; k < 12; k++) {
      const angle = (Math.PI * k) / 6;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      rays++;
      if (query.raycast([from[0], from[1], from[2]], [-ay * c, ax * c, s]) !== null) hits++;
    }
  }
  return hits / rays;
}
