// PNG files of 8 bits a channel without interlacing, which is what screenshots are (PNG specification, third edition).
import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, opacity, row by row. */
  readonly pixels: Uint8Array;
}

export function decodePng(bytes: Buffer): Picture {
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    chunks.set(kind, [...(chunks.get(kind) ?? []), bytes.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  const header = (chunks.get('IHDR') as Buffer[])[0];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = { 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || channels === undefined || header[12] !== 0)
    throw new Error('Not a PNG of the kind screenshots are.');
  const data = inflateSync(Buffer.concat(chunks.get('IDAT') as Buffer[]));
  const stride = width * channels;
  const pixels = new Uint8Array(4 * width * height).fill(255);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)];
    const row = new Uint8Array(data.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let i = 0; i < stride; i++) {
      const left = i >= channels ? row[i - channels] : 0;
      const up = above[i];
      const corner = i >= channels ? above[i - channels] : 0;
      if (filter === 1) row[i] += left;
      else if (filter === 2) row[i] += up;
      else if (filter === 3) row[i] += (left + up) >> 1;
      else if (filter === 4) row[i] += paeth(left, up, corner);
    }
    for (let x = 0; x < width; x++) pixels.set(row.subarray(x * channels, (x + 1) * channels), 4 * (y * width + x));
    above = row;
  }
  return { width, height, pixels };
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const a = Math.abs(estimate - left);
  const b = Math.abs(estimate - up);
  const c = Math.abs(estimate - corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
