// Sliders for the parameters of a procedural model or a sample.
import type { ModelParameter } from 'nearfield/mesh';
import type { Slider } from './controls.js';

/** @param ranges narrower ranges for some of them; null leaves an end as it is. */
export function parameterSliders(
  parameters: Readonly<Record<string, ModelParameter>>,
  ranges: Readonly<Record<string, readonly [min: number | null, max: number | null]>> = {},
): Record<string, Slider> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const [min, max] = ranges[name] ?? [null, null];
      return [name, sliderOf(name, { ...parameter, min: min ?? parameter.min, max: max ?? parameter.max })];
    }),
  );
}

function sliderOf(name: string, { min, max, default: initial, integer, description }: ModelParameter): Slider {
  const words = name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return {
    kind: 'slider',
    label: words[0].toUpperCase() + words.slice(1),
    hint: description,
    min,
    max,
    initial,
    logarithmic: min > 0 && max / min > 30,
    ...(integer ? { step: 1 } : {}),
  };
}
