// The frames of a replay: {"frames":[{"A":[…],"B":[…]}, …]}, each placement 7 numbers (a pose) or 16 (a rigid matrix).
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { nearPose } from '../arguments.js';
import { readBytes } from '../load-model.js';

/** The poses of the two models in one frame. */
export interface Frame {
  readonly a: pose.Pose;
  readonly b: pose.Pose;
}

/** Reads a frames file; errors give the number of the frame. */
export async function loadFrames(path: string): Promise<Frame[]> {
  return parseFrames(new TextDecoder().decode(await readBytes(path)), path);
}

/** The frames in a JSON text; `file` is its name in errors. */
export function parseFrames(text: string, file: string): Frame[] {
  const refuse = (what: string): never => {
    throw new NearfieldError('file-format', `${file}: ${what}`, { file });
  };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    refuse(`is not valid JSON (${(error as Error).message}); a frames file is {"frames":[{"A":[…],"B":[…]}, …]}`);
  }
  const frames = isRecord(document) ? document.frames : undefined;
  if (!Array.isArray(frames)) return refuse('has no list "frames"; a frames file is {"frames":[{"A":[…],"B":[…]}, …]}');
  if (frames.length === 0) return refuse('has no frames; give at least one');
  return frames.map((frame: unknown, index) => {
    if (!isRecord(frame)) return refuse(`frame ${index} is not an object {"A":[…],"B":[…]}`);
    const place = (body: 'A' | 'B'): pose.Pose => {
      try {
        return parsePlacement(frame[body]);
      } catch (error) {
        if (error instanceof NearfieldError) {
          throw new NearfieldError(error.code, `${file}: frame ${index}, ${body}: ${error.message}`, { file });
        }
        throw error;
      }
    };
    return { a: place('A'), b: place('B') };
  });
}

/** A pose from a list of 7 or 16 numbers. */
export function parsePlacement(value: unknown): pose.Pose {
  if (!Array.isArray(value)) {
    throw new NearfieldError('file-format', 'the placement is missing; give a list of 7 or 16 numbers');
  }
  const wrong = value.findIndex((entry) => typeof entry !== 'number');
  if (wrong >= 0) {
    throw new NearfieldError('file-format', `entry ${wrong} is ${JSON.stringify(value[wrong])}, not a number`);
  }
  if (value.length === 7) return nearPose(pose.parse(value));
  if (value.length === 16) return nearPose(pose.fromMatrix4(value));
  throw new NearfieldError(
    'file-format',
    `the placement has ${value.length} numbers; give 7 (tx,ty,tz,qx,qy,qz,qw) or 16 (a matrix, row by row)`,
  );
}

/** Whether a value of a JSON document is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
