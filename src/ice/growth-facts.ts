// The facts of a growth that all backends share, and their checks.
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import type { Vec3 } from '../core/vec3.js';
import type { GridSize } from '../field/grid.js';
import type { IceBoundary, IceFields, IcePrecision, IceScheme, IceState } from './ice.js';
import type { IceSetup } from './options.js';
import type { IceParameters } from './parameters.js';

const FIELDS = optionTable<IceFields>('The fields')({
  phase: checkedElsewhere(),
  temperature: checkedElsewhere(),
  room: checkedElsewhere(),
});

export class GrowthFacts {
  readonly size: GridSize;
  readonly spacing: number;
  readonly origin: Readonly<Vec3>;
  readonly parameters: IceParameters;
  readonly timestep: number;
  readonly scheme: IceScheme;
  readonly boundary: IceBoundary;
  readonly precision: IcePrecision;
  steps = 0;

  protected constructor(setup: IceSetup, precision: IcePrecision) {
    this.size = setup.size;
    this.spacing = setup.spacing;
    this.origin = setup.origin;
    this.parameters = setup.parameters;
    this.timestep = setup.timestep;
    this.scheme = setup.scheme;
    this.boundary = setup.boundary;
    this.precision = precision;
  }

  /** @throws NearfieldError `non-finite` for fields that became unstable. */
  protected stateOf(
    phase: Float32Array | Float64Array,
    temperature: Float32Array | Float64Array,
    room: Uint8Array | null,
  ): IceState {
    const { origin, spacing, size, steps, timestep } = this;
    let sum = 0;
    for (let i = 0; i < phase.length; i++) sum += 0 * phase[i] + 0 * temperature[i];
    if (sum !== 0) {
      throw new NearfieldError(
        'non-finite',
        `The growth became unstable within ${steps} steps of ${timestep}: some cells are no longer finite. Give a shorter ` +
          'timestep, a smaller delta or a smaller fold.',
      );
    }
    const copy = room === null ? null : room.slice();
    return { origin, spacing, size, phase, temperature, room: copy, steps, time: steps * timestep };
  }

  /** Throws for fields of another length or with numbers that are not finite. */
  protected assertFields(fields: IceFields): void {
    FIELDS.assert(fields);
    const cells = this.size[0] * this.size[1] * this.size[2];
    for (const name of ['phase', 'temperature', 'room'] as const) {
      const values = fields?.[name];
      if (values === undefined) continue;
      if (values === null || typeof values !== 'object' || values.length !== cells) {
        throw new NearfieldError(
          'bad-argument',
          `The field '${name}' is ${nameValue(values)}; give an array of ${cells} numbers.`,
        );
      }
      for (let i = 0; i < cells; i++) {
        if (Number.isFinite(values[i]) && (name === 'temperature' || (values[i] >= 0 && values[i] <= 1))) continue;
        const range = name === 'temperature' ? 'a finite number' : 'a number from 0 to 1';
        throw new NearfieldError('bad-argument', `Cell ${i} of the field '${name}' is ${values[i]}; give ${range}.`);
      }
    }
  }
}

/** Throws for an invalid number of steps. */
export function assertSteps(steps: number): void {
  if (Number.isInteger(steps) && steps >= 0) return;
  throw new NearfieldError('bad-argument', `The number of steps is ${nameValue(steps)}; give a whole number from 0.`);
}
