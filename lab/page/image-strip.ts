// Images of numbers side by side in one scale of colors, which is drawn beneath them, with one pixel marked.
import { scaleColor } from '../color-scale.js';
import { formatNumber, type ImageStrip } from '../figures.js';
import { element } from './element.js';
import { svg } from './svg.js';

/** The mark's radius as a share of an image's side. */
const MARK = 0.05;

export function imageStrip({ id, label, names, resolution, values, low, high, unit, mark }: ImageStrip): HTMLElement {
  const images = names.map((name, image) => {
    const pixels = values.subarray(image * resolution ** 2, (image + 1) * resolution ** 2);
    const picture = element('div', { class: 'strip-image' }, paintPixels(pixels, resolution, low, high));
    if (mark?.image === image) {
      const overlay = svg('svg', { viewBox: `0 0 ${resolution} ${resolution}`, 'aria-hidden': 'true' });
      const place = { cx: mark.column + 0.5, cy: mark.row + 0.5, r: MARK * resolution };
      overlay.append(svg('circle', { class: 'strip-rim', ...place }), svg('circle', { class: 'strip-mark', ...place }));
      picture.append(overlay);
    }
    return element('figure', { 'data-image': image }, picture, element('figcaption', {}, name));
  });
  const strip = element('div', { class: 'strip', 'data-figure': id, role: 'img', 'aria-label': label }, ...images);
  return element('div', {}, strip, stripScale(low, high, unit));
}

/** The scale of colors between its ends. */
export function stripScale(low: number, high: number, unit: string | undefined): HTMLElement {
  const steps = Float32Array.from({ length: 256 }, (_, i) => i / 255);
  const end = (value: number): HTMLElement =>
    element('data', { value }, `${formatNumber(value, 3)}${unit === undefined ? '' : ` ${unit}`}`);
  return element('div', { class: 'strip-scale' }, end(low), paintPixels(steps, 256, 0, 1), end(high));
}

/** Rows of pixels; those without a finite value are left clear. */
export function paintPixels(pixels: Float32Array, width: number, low: number, high: number): HTMLCanvasElement {
  const height = pixels.length / width;
  const canvas = element('canvas', { width, height });
  const image = new ImageData(width, height);
  pixels.forEach((value, i) => {
    if (Number.isFinite(value)) image.data.set([...scaleColor((value - low) / (high - low || 1)), 255], 4 * i);
  });
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return canvas;
}
