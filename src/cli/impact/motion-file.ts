// The motion of two models in a file: {"A": …, "B": …}, each a placement at rest or a list of keyframes
// {"time": t, "pose": placement}; or a frames file, whose frames are evenly spaced from time 0 to time 1.
import { NearfieldError } from '../../core/errors.js';
import type { BodyMotion, Keyframe, Motion } from '../../proximity/impact/motion.js';
import { readBytes } from '../load-model.js';
import { isRecord, parseFrames, parsePlacement } from '../replay/frames-file.js';

const FORM = '{"A":[{"time":0,"pose":[…]}, …],"B":[…]}';

/** Reads a motion file; errors give the model and the number of the keyframe. */
export async function loadMotion(file: string): Promise<Motion> {
  const text = new TextDecoder().decode(await readBytes(file));
  const refuse = (what: string, code: NearfieldError['code'] = 'file-format'): never => {
    throw new NearfieldError(code, `${file}: ${what}`, { file });
  };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    refuse(`is not valid JSON (${(error as Error).message}); a motion file is ${FORM}`);
  }
  if (!isRecord(document)) return refuse(`is not an object; a motion file is ${FORM}`);
  if ('frames' in document) return spreadFrames(parseFrames(text, file));
  const read = (body: 'A' | 'B'): BodyMotion => {
    const value = document[body];
    if (!Array.isArray(value) || value.length === 0) {
      return refuse(`has no motion of ${body}; a motion file is ${FORM}`);
    }
    const place = (placement: unknown, where: string): Keyframe['pose'] => {
      try {
        return parsePlacement(placement);
      } catch (error) {
        if (error instanceof NearfieldError) return refuse(`${body}${where}: ${error.message}`, error.code);
        throw error;
      }
    };
    if (!isRecord(value[0])) return place(value, '');
    return value.map((key: unknown, i): Keyframe => {
      if (!isRecord(key)) return refuse(`keyframe ${i} of ${body} is not an object {"time":t,"pose":[…]}`);
      if (typeof key.time !== 'number') return refuse(`the time of keyframe ${i} of ${body} is not a number`);
      return { time: key.time, pose: place(key.pose, `, keyframe ${i}`) };
    });
  };
  return { a: read('A'), b: read('B') };
}

function spreadFrames(frames: ReturnType<typeof parseFrames>): Motion {
  const time = (i: number): number => (frames.length > 1 ? i / (frames.length - 1) : 0);
  return {
    a: frames.map(({ a }, i) => ({ time: time(i), pose: a })),
    b: frames.map(({ b }, i) => ({ time: time(i), pose: b })),
  };
}
