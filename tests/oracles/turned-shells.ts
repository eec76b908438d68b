// Which connected parts of a closed surface look the wrong way: a part must enclose a positive volume where the others
// do not wind around it, and a negative one, as the wall of a hollow, where they wind around it once.
import { windingNumberBySum } from './winding-number.js';

/** One line for each part that looks the wrong way; `positions` and `indices` bound a solid without crossings. */
export function turnedShells(positions: ArrayLike<number>, indices: ArrayLike<number>): string[] {
  const parts = splitByVertices(positions.length / 3, indices);
  return parts.flatMap((part, at) => {
    const first = [0, 1, 2].map((axis) => positions[3 * part[0] + axis]);
    const others = parts.flatMap((other, k) => (k === at ? [] : other));
    const around = windingNumberBySum(positions, others, first);
    const volume = volumeAbout(first, positions, part);
    const wanted = Math.round(around) === 0 ? 1 : Math.round(around) === 1 ? -1 : 0;
    return Math.sign(volume) === wanted ? [] : [`part ${at} of volume ${volume}: the others wind ${around} times`];
  });
}

function splitByVertices(vertices: number, indices: ArrayLike<number>): number[][] {
  const partOf = new Int32Array(vertices).fill(-1);
  const facesOf: number[][] = Array.from({ length: vertices }, () => []);
  for (let i = 0; i < indices.length; i++) facesOf[indices[i]].push(Math.floor(i / 3));
  const parts: number[][] = [];
  const isDone = new Uint8Array(indices.length / 3);
  for (let start = 0; start < isDone.length; start++) {
    if (isDone[start] === 1) continue;
    const part: number[] = [];
    const waiting = [start];
    isDone[start] = 1;
    while (waiting.length > 0) {
      const face = waiting.pop()!;
      for (let k = 0; k < 3; k++) {
        const vertex = indices[3 * face + k];
        part.push(vertex);
        if (partOf[vertex] >= 0) continue;
        partOf[vertex] = parts.length;
        for (const next of facesOf[vertex]) {
          if (isDone[next] === 0) waiting.push(next);
          isDone[next] = 1;
        }
      }
    }
    parts.push(part);
  }
  return parts;
}

function volumeAbout(o: number[], p: ArrayLike<number>, indices: ArrayLike<number>): number {
  let six = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => p[3 * indices[i + k] + axis] - o[axis]));
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}
