// The keys of an object in a scene file, one row for each: how its value is read, and what stands for it when it is left out.
import type { JsonFields, JsonPlace } from '../core/check/json-place.js';
import { MAX_COORDINATE } from '../core/tolerances.js';

/** What coordinates, times and speeds of a scene may be. */
export const COORDINATE = { min: -MAX_COORDINATE, max: MAX_COORDINATE };

/** One key of an object. */
interface SceneKey<Value> {
  readonly read: (place: JsonPlace) => Value;
  /** Left out where the scene must have the key. */
  readonly fallback?: { readonly value: Value };
}

type SceneKeys = Readonly<Record<string, SceneKey<unknown>>>;

type SceneValues<Keys extends SceneKeys> = {
  readonly [Name in keyof Keys]: Keys[Name] extends SceneKey<infer Value> ? Value : never;
};

/** A key that the scene must have. */
export function needed<Value>(read: (place: JsonPlace) => Value): SceneKey<Value> {
  return { read };
}

/** A key that stands for `value` when it is left out. */
export function optional<Value, Fallback>(
  value: Fallback,
  read: (place: JsonPlace) => Value,
): SceneKey<Value | Fallback> {
  return { read, fallback: { value } };
}

/** Reads an object by its table; refuses unknown keys, and values in the order of the table. */
export function readKeys<Keys extends SceneKeys>(
  place: JsonPlace,
  keys: Keys,
): { readonly fields: JsonFields; readonly values: SceneValues<Keys> } {
  const names = Object.keys(keys);
  const fields = place.fields(
    names,
    names.filter((name) => keys[name].fallback === undefined),
  );
  const read = names.map((name) => {
    const { fallback, read } = keys[name];
    return [name, fallback === undefined ? read(fields.at(name)) : fields.take(name, fallback.value, read)] as const;
  });
  return { fields, values: Object.fromEntries(read) as SceneValues<Keys> };
}

/** Reads keyframes in order of time. Each has a time and one key more. */
export function readKeyframes<Value>(
  place: JsonPlace,
  name: string,
  form: string,
  read: (place: JsonPlace) => Value,
): { readonly time: number; readonly value: Value }[] {
  const keys = place.list('keyframes');
  if (keys.length === 0) place.refuse(`has no keyframes; give at least one {"time": 0, "${name}": ${form}}`);
  let before = -Infinity;
  return keys.map((key) => {
    const fields = key.fields(['time', name], ['time', name]);
    const time = fields.at('time').number(COORDINATE);
    if (time <= before) {
      fields.at('time').refuse(`is ${time}, not after ${before} of the keyframe before; put the keyframes in order`);
    }
    before = time;
    return { time, value: read(fields.at(name)) };
  });
}
