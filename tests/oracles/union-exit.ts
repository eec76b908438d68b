// Where a ray from the origin leaves a union of convex bodies for good, by its intervals in double precision: the front
// starts at 0 and moves to the end of every interval that holds it; where it ends on a contained facet it goes on to the
// beginning of the next interval. O(facets + bodies²) a ray; shares nothing with the library.

/** A convex body: four numbers a facet (outward normal n, offset c, n·t ≤ c inside) and whether leaving there is not final. */
export interface OracleBody {
  planes: ArrayLike<number>;
  contained: ArrayLike<boolean>;
}

export interface UnionExit {
  /** Infinity if the ray is lost in a void; 0 if no body holds the origin and it is in no void. */
  distance: number;
  /** The body and the facet of it where the ray leaves, −1 for none. */
  body: number;
  facet: number;
  /** Bodies that the ray went through, and voids. */
  hops: number;
  voids: number;
  /** The least gap, as a share of the front, between a front on the way and an end or beginning of an interval. */
  slack: number;
}

/** Traces one ray; `direction` is unit. */
export function traceUnionExit(
  bodies: readonly OracleBody[],
  direction: ArrayLike<number>,
  startsInVoid: boolean,
): UnionExit {
  const near: number[] = [];
  const far: number[] = [];
  const owner: number[] = [];
  const exit: number[] = [];
  bodies.forEach((body, index) => {
    let from = -Infinity;
    let to = Infinity;
    let facet = -1;
    for (let f = 0; f < body.contained.length; f++) {
      const slope =
        body.planes[4 * f] * direction[0] +
        body.planes[4 * f + 1] * direction[1] +
        body.planes[4 * f + 2] * direction[2];
      const at = body.planes[4 * f + 3] / slope;
      if (slope === 0) {
        if (body.planes[4 * f + 3] < 0) to = -Infinity;
      } else if (slope < 0) {
        if (at > from) from = at;
      } else if (at < to) {
        to = at;
        facet = f;
      }
    }
    if (from < to && to > 0) {
      near.push(from);
      far.push(to);
      owner.push(index);
      exit.push(facet);
    }
  });
  const result: UnionExit = { distance: 0, body: -1, facet: -1, hops: 0, voids: 0, slack: Infinity };
  let front = 0;
  let last = -1;
  for (;;) {
    for (let again = true; again; ) {
      again = false;
      for (let i = 0; i < near.length; i++) {
        if (near[i] <= front && far[i] > front) {
          front = far[i];
          last = i;
          result.hops++;
          again = true;
          result.slack = Math.min(result.slack, 1 - near[i] / front);
          for (let k = 0; k < near.length; k++) {
            if (k === last) continue;
            result.slack = Math.min(result.slack, Math.abs(near[k] - front) / front, Math.abs(far[k] - front) / front);
          }
        }
      }
    }
    // Of facets where several bodies end at once a contained one decides: the point is inside a solid.
    let isVoid = last < 0 && startsInVoid;
    for (let i = 0; i < near.length; i++) isVoid ||= far[i] === front && bodies[owner[i]].contained[exit[i]];
    if (!isVoid) break;
    let next = Infinity;
    for (let i = 0; i < near.length; i++) if (near[i] > front && near[i] < next) next = near[i];
    result.voids++;
    front = next;
    if (front === Infinity) {
      last = -1;
      break;
    }
  }
  result.distance = front;
  if (last >= 0) {
    result.body = owner[last];
    result.facet = exit[last];
  }
  return result;
}
