// The unit of a file. Only glTF files say what theirs is; for the others the page asks. Nothing is converted.
import type { Choice } from '../controls.js';

const UNITS = ['mm', 'cm', 'm', 'in', 'ft'];
const MODELS = /\.(obj|stl|ply|off|glb|gltf|dae)$/i;

export function isModelFile(name: string): boolean {
  return MODELS.test(name);
}

/** The control that asks for the unit of a file. */
export function unitOf(name: string): Choice {
  const told = /\.(glb|gltf)$/i.test(name);
  return {
    kind: 'choice',
    label: 'Unit of the file',
    hint: told
      ? 'glTF files are in meters; choose another unit if this one is not. Nothing is converted.'
      : 'The file does not say. Figures are in this unit; nothing is converted.',
    initial: told ? 'm' : 'units',
    options: [{ value: 'units', label: 'Not known' }, ...UNITS.map((unit) => ({ value: unit, label: unit }))],
  };
}

/** What a figure's unit is called for a file: lengths, areas and volumes of the scenes are in meters. */
export function renameUnit(unit: string | undefined, unitOfFile: string): string | undefined {
  if (unit === undefined || unitOfFile === 'm' || !/^m[²³]?$/.test(unit)) return unit;
  return `${unitOfFile}${unit.slice(1)}`;
}
