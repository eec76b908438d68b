// Lines of numbers for the text formats: the shortest digits that read back as the same double, −0 included.

export function formatNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A line for each vertex: `prefix`, then its coordinates. */
export function formatPositions(positions: Float64Array, prefix: string): string {
  const lines: string[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    const x = formatNumber(positions[i]);
    const y = formatNumber(positions[i + 1]);
    const z = formatNumber(positions[i + 2]);
    lines.push(`${prefix}${x} ${y} ${z}\n`);
  }
  return lines.join('');
}

/** A line for each triangle: `prefix`, then its vertex ids counted from `firstId`. */
export function formatTriangles(indices: Uint32Array, prefix: string, firstId: number): string {
  const lines: string[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    lines.push(`${prefix}${indices[i] + firstId} ${indices[i + 1] + firstId} ${indices[i + 2] + firstId}\n`);
  }
  return lines.join('');
}

/** A name without line breaks, and without blanks at its ends. */
export function formatName(name: string): string {
  return name.replace(/[\p{Cc}\\]+/gu, ' ').trim();
}
