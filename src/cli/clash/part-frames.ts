// The motion of an assembly: that of its glTF file, or a frames file with the poses of some of its parts by name.
import type { AssemblyPart } from '../../clash/assembly.js';
import type { AssemblyMotion } from '../../clash/moving-clashes.js';
import { NearfieldError } from '../../core/errors.js';
import type { Pose } from '../../core/pose.js';
import { isRecord, parsePlacement } from '../replay/frames-file.js';
import { readJson } from './rules-file.js';

/** What --frames says for the animation of the models. */
export const OWN_ANIMATION = 'animation';

const FORM = '{"frames":[{"time":0,"parts":{"door":[…7 or 16 numbers]}}, …]}';

/**
 * Reads a frames file. Parts that it does not name rest; those that it names have a pose in each frame. Without times, frames
 * are evenly spaced from 0 to 1. Two parts may also be called A and B, as in the frames of a replay.
 */
export async function readPartFrames(path: string, parts: readonly AssemblyPart[]): Promise<AssemblyMotion> {
  const refuse = (what: string): never => {
    throw new NearfieldError('file-format', `${path}: ${what}`, { file: path });
  };
  const json = await readJson(path);
  const frames = isRecord(json) ? json.frames : null;
  if (!Array.isArray(frames) || frames.length === 0) return refuse(`has no list "frames"; a frames file is ${FORM}`);
  const indexOf = new Map(parts.map(({ name }, i) => [name, i]));
  if (parts.length === 2) for (const [i, name] of ['A', 'B'].entries()) if (!indexOf.has(name)) indexOf.set(name, i);
  const poses: (Pose[] | null)[] = parts.map(() => null);
  const times = frames.map((frame: unknown, f): number => {
    if (!isRecord(frame)) return refuse(`frame ${f} is not an object; a frames file is ${FORM}`);
    const { time = frames.length === 1 ? 0 : f / (frames.length - 1), parts: listed = withoutTime(frame) } = frame;
    if (typeof time !== 'number') return refuse(`the time of frame ${f} is not a number`);
    if (!isRecord(listed)) return refuse(`the parts of frame ${f} are not an object; a frames file is ${FORM}`);
    for (const [name, placement] of Object.entries(listed)) {
      const part = indexOf.get(name) ?? refuse(`frame ${f} moves "${name}", but no part has this name`);
      poses[part] ??= [];
      if (poses[part].length !== f) refuse(`"${name}" has a pose in frame ${f}, but not in all frames before`);
      try {
        poses[part].push(parsePlacement(placement));
      } catch (error) {
        if (error instanceof NearfieldError) return refuse(`frame ${f}, "${name}": ${error.message}`);
        throw error;
      }
    }
    return time;
  });
  const short = poses.findIndex((list) => list !== null && list.length !== frames.length);
  if (short >= 0) refuse(`"${parts[short].name}" has no pose in frame ${poses[short]!.length}`);
  if (times.some((time, f) => f > 0 && !(time > times[f - 1]))) refuse('the times of the frames do not ascend');
  return { times, poses };
}

function withoutTime({ time: _time, ...parts }: Record<string, unknown>): Record<string, unknown> {
  return parts;
}
