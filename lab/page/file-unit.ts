// The unit of a file. Formats that have one say it, and files that say theirs; for the others the page asks. Nothing is converted.
import type { Choice } from '../controls.js';
import { MODEL_FILES } from '../model-files.js';

/** Definition: meters of each unit. */
const UNITS: Readonly<Record<string, number>> = { mm: 0.001, cm: 0.01, m: 1, in: 0.0254, ft: 0.3048 };

/** What the lengths of a format are in once it is read. */
const UNIT_OF_FORMAT: readonly { readonly files: RegExp; readonly unit: string; readonly hint: string }[] = [
  {
    files: /\.(glb|gltf)$/i,
    unit: 'm',
    hint: 'glTF files are in meters; choose another unit if this one is not. Nothing is converted.',
  },
  { files: /\.ifc$/i, unit: 'm', hint: 'IFC files are read in meters, whatever their own unit.' },
  { files: /\.(step|stp|iges|igs)$/i, unit: 'mm', hint: 'CAD files are read in millimeters, whatever their own unit.' },
];

export function isModelFile(name: string): boolean {
  return MODEL_FILES.split(',').some((ending) => name.toLowerCase().endsWith(ending));
}

/** The name of a unit by its length in meters; null for one without a name here. */
export function unitName(meters: number | undefined): string | null {
  return Object.keys(UNITS).find((name) => UNITS[name] === meters) ?? null;
}

/** Meters of a unit by its name; undefined where it is not known. */
export function metersOfUnit(name: string | null | undefined): number | undefined {
  return UNITS[name ?? ''];
}

/** The control that asks for the unit of a file; `told` is what the file itself says. */
export function unitOf(name: string, told: string | null): Choice {
  const known = UNIT_OF_FORMAT.find(({ files }) => files.test(name));
  return {
    kind: 'choice',
    label: 'Unit of the file',
    hint:
      known?.hint ??
      (told === null
        ? 'Nobody says it. Figures are in this unit; nothing is converted.'
        : 'The file says it. Figures are in this unit; nothing is converted.'),
    initial: known?.unit ?? told ?? 'units',
    options: [
      { value: 'units', label: 'Not known' },
      ...Object.keys(UNITS).map((unit) => ({ value: unit, label: unit })),
    ],
  };
}

/** What a figure's unit is called for a file: lengths, areas and volumes of the scenes are in meters. */
export function renameUnit(unit: string | undefined, unitOfFile: string): string | undefined {
  if (unit === undefined || unitOfFile === 'm' || !/^m[²³]?$/.test(unit)) return unit;
  return `${unitOfFile}${unit.slice(1)}`;
}
