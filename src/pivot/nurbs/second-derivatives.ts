// Bounds of the second derivatives of a rational Bézier patch S = A / w: those of A and w lie in the hulls of the
// differences of their nets, and the quotient rule takes them to S. Coordinates are relative to the middle of the
// control points, so that |S| is at most their radius.

/** Bounds of |Suu|, |Suv| and |Svv|, with u and v from 0 to the given lengths. */
export function secondDerivativeBounds(
  net: Float64Array,
  degreeU: number,
  degreeV: number,
  lengthU: number,
  lengthV: number,
): { readonly uu: number; readonly uv: number; readonly vv: number } {
  const sideU = degreeU + 1;
  const sideV = degreeV + 1;
  const local = centered(net);
  let least = Infinity;
  let radius = 0;
  for (let o = 0; o < local.length; o += 4) {
    least = Math.min(least, local[o + 3]);
    radius = Math.max(radius, Math.hypot(local[o], local[o + 1], local[o + 2]) / local[o + 3]);
  }
  const scaleU = degreeU / lengthU;
  const scaleV = degreeV / lengthV;
  const u = largest(differences(local, sideU, sideV, 1, 0));
  const v = largest(differences(local, sideU, sideV, 0, 1));
  const uu = largest(differences(local, sideU, sideV, 2, 0));
  const uv = largest(differences(local, sideU, sideV, 1, 1));
  const vv = largest(differences(local, sideU, sideV, 0, 2));
  const twiceU = degreeU > 1 ? (scaleU * (degreeU - 1)) / lengthU : 0;
  const twiceV = degreeV > 1 ? (scaleV * (degreeV - 1)) / lengthV : 0;
  // |Su| ≤ (|Au| + |wu|·|S|) / w, and so on.
  const su = (scaleU * (u[0] + u[1] * radius)) / least;
  const sv = (scaleV * (v[0] + v[1] * radius)) / least;
  return {
    uu: (twiceU * (uu[0] + uu[1] * radius) + 2 * scaleU * u[1] * su) / least,
    vv: (twiceV * (vv[0] + vv[1] * radius) + 2 * scaleV * v[1] * sv) / least,
    uv: (scaleU * scaleV * (uv[0] + uv[1] * radius) + scaleU * u[1] * sv + scaleV * v[1] * su) / least,
  };
}

/** The net relative to the middle of the box of its points. */
function centered(net: Float64Array): Float64Array {
  const local = net.slice();
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let o = 0; o < net.length; o += 4) {
      low = Math.min(low, net[o + axis] / net[o + 3]);
      high = Math.max(high, net[o + axis] / net[o + 3]);
    }
    for (let o = 0; o < net.length; o += 4) local[o + axis] -= ((low + high) / 2) * net[o + 3];
  }
  return local;
}

/** Repeated differences of neighbors, along u and along v; empty where the degree is too low. */
function differences(net: Float64Array, sideU: number, sideV: number, timesU: number, timesV: number): Float64Array {
  let values = net;
  let [width, height] = [sideU, sideV];
  for (let times = 0; times < timesU + timesV; times++) {
    const alongU = times < timesU;
    const [nextWidth, nextHeight] = alongU ? [width - 1, height] : [width, height - 1];
    if (nextWidth <= 0 || nextHeight <= 0) return new Float64Array(0);
    const next = new Float64Array(4 * nextWidth * nextHeight);
    for (let j = 0; j < nextHeight; j++) {
      for (let i = 0; i < nextWidth; i++) {
        const from = 4 * (i + width * j);
        const to = from + 4 * (alongU ? 1 : width);
        for (let c = 0; c < 4; c++) next[4 * (i + nextWidth * j) + c] = values[to + c] - values[from + c];
      }
    }
    values = next;
    [width, height] = [nextWidth, nextHeight];
  }
  return values;
}

/** The longest vector, and the largest absolute weight. */
function largest(differences: Float64Array): [number, number] {
  let vector = 0;
  let weight = 0;
  for (let o = 0; o < differences.length; o += 4) {
    vector = Math.max(vector, Math.hypot(differences[o], differences[o + 1], differences[o + 2]));
    weight = Math.max(weight, Math.abs(differences[o + 3]));
  }
  return [vector, weight];
}
