// What a mesh of tetrahedra must be, from the definitions, without code of the library: positive volumes, faces shared by
// at most two elements from opposite sides, a closed manifold surface, dihedral angles by the law of cosines on planes.

export interface TetrahedraFacts {
  readonly faults: string[];
  readonly volume: number;
  /** Degrees. */
  readonly minAngle: number;
  readonly maxAngle: number;
  readonly surfaceTriangles: number;
  readonly surfaceNodes: Set<number>;
  /** Elements whose four nodes lie on the surface. */
  readonly withoutInner: number;
  /** Vertices − edges + faces of the surface. */
  readonly euler: number;
}

type Triple = [number, number, number];

export function validateTetrahedra(positions: ArrayLike<number>, elements: ArrayLike<number>): TetrahedraFacts {
  const faults: string[] = [];
  const at = (node: number): Triple => [positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]];
  const sub = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const cross = (a: Triple, b: Triple): Triple => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const faces = new Map<string, string[]>();
  let [volume, minAngle, maxAngle] = [0, 180, 0];
  for (let e = 0; e < elements.length; e += 4) {
    const nodes = [0, 1, 2, 3].map((i) => elements[e + i]);
    const [a, b, c, d] = nodes.map(at);
    const own = dot(sub(b, a), cross(sub(c, a), sub(d, a))) / 6;
    if (!(own > 0)) faults.push(`element ${e / 4} has the volume ${own}`);
    volume += own;
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const [k, l] = [0, 1, 2, 3].filter((n) => n !== i && n !== j);
        const [p, q] = [at(nodes[i]), at(nodes[j])];
        const axis = sub(q, p);
        const m = cross(axis, sub(at(nodes[k]), p));
        const n = cross(axis, sub(at(nodes[l]), p));
        const angle = (Math.atan2(Math.hypot(...cross(m, n)), dot(m, n)) * 180) / Math.PI;
        minAngle = Math.min(minAngle, angle);
        maxAngle = Math.max(maxAngle, angle);
      }
      const face = nodes.filter((_, n) => n !== i);
      const outward = i % 2 === 0 ? face : [face[0], face[2], face[1]];
      const key = [...face].sort((x, y) => x - y).join();
      const low = outward.indexOf(Math.min(...outward));
      const turn = [0, 1, 2].map((n) => outward[(low + n) % 3]).join();
      faces.set(key, [...(faces.get(key) ?? []), turn]);
    }
  }
  const surface: number[][] = [];
  for (const [key, turns] of faces) {
    if (turns.length > 2) faults.push(`face ${key} belongs to ${turns.length} elements`);
    if (turns.length === 2 && turns[0] === turns[1]) faults.push(`face ${key} has both elements on one side`);
    if (turns.length === 1) surface.push(turns[0].split(',').map(Number));
  }
  const edges = new Map<string, number>();
  for (const [a, b, c] of surface) {
    for (const [p, q] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      if (edges.has(`${p},${q}`)) faults.push(`edge ${p},${q} of the surface is run twice one way`);
      edges.set(`${p},${q}`, c);
    }
  }
  for (const key of edges.keys()) {
    const [p, q] = key.split(',');
    if (!edges.has(`${q},${p}`)) faults.push(`edge ${key} of the surface is open`);
  }
  const surfaceNodes = new Set(surface.flat());
  let divergence = 0;
  for (const [a, b, c] of surface) divergence += dot(at(a), cross(at(b), at(c))) / 6;
  if (!(Math.abs(divergence - volume) <= 1e-9 * Math.abs(volume) + 1e-12 * volume)) {
    faults.push(`the surface encloses ${divergence}, the elements fill ${volume}`);
  }
  let withoutInner = 0;
  for (let e = 0; e < elements.length; e += 4) {
    if ([0, 1, 2, 3].every((i) => surfaceNodes.has(elements[e + i]))) withoutInner++;
  }
  return {
    ...{ faults, volume, minAngle, maxAngle, surfaceNodes, withoutInner },
    surfaceTriangles: surface.length,
    euler: surfaceNodes.size - edges.size / 2 + surface.length,
  };
}
