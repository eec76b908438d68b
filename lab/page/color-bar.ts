// The scale of colors of a picture in the view: a strip with the numbers that its ends, and its middle, stand for.
import { divergingColor, scaleColor } from '../color-scale.js';
import { type ColorBar, formatNumber } from '../figures.js';
import { element } from './element.js';

const STEPS = 256;

export function colorBar({ id, label, scale, low, high, unit, logarithmic, note }: ColorBar): HTMLElement {
  const diverging = scale === 'diverging';
  const canvas = element('canvas', { width: STEPS, height: 1 });
  const image = new ImageData(STEPS, 1);
  for (let i = 0; i < STEPS; i++) {
    const share = i / (STEPS - 1);
    image.data.set([...(diverging ? divergingColor(2 * share - 1) : scaleColor(share)), 255], 4 * i);
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  const mark = (value: number): HTMLElement =>
    element('data', { value }, `${formatNumber(value, 3)}${unit === undefined ? '' : ` ${unit}`}`);
  const middle = diverging ? 0 : logarithmic ? Math.sqrt(low * high) : (low + high) / 2;
  const marks = element('div', { class: 'color-marks' }, ...[low, middle, high].map(mark));
  const about = `${label}, from ${low} to ${high}${logarithmic ? ', equal steps for equal ratios' : ''}`;
  const bar = element('div', { class: 'color-bar', 'data-figure': id, role: 'img', 'aria-label': about }, canvas);
  return element('div', {}, bar, marks, ...(note === undefined ? [] : [element('p', { class: 'hint' }, note)]));
}
