// RVO2 beside us, the library of the authors of ORCA (van den Berg et al. 2011). The npm package rvo2 carries its source; its
// binding to Node is of the time of Node 6, so a driver is compiled with that source.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileDriver, type PeerDriver } from './compile-driver.js';
import { findPeer } from './find-peer.js';
import source from './rvo2-driver.cpp?raw';

const FILES = ['Agent.cpp', 'KdTree.cpp', 'Obstacle.cpp', 'RVOSimulator.cpp'];

/** A crowd of discs in a plane, with a wall between them and their goals that has one door. */
export interface DiscCrowd {
  readonly seed: number;
  readonly timeStep: number;
  readonly mostSteps: number;
  /** An agent has arrived when it is as near to its goal. */
  readonly tolerance: number;
  readonly radius: number;
  readonly speed: number;
  /** Seconds that velocities have to be free of collisions for. */
  readonly horizon: number;
  /** Others that an agent looks at. */
  readonly neighbors: number;
  /** Where the wall is along the first axis, and what the middle of a disc may use of the door along the second one. */
  readonly door: readonly [at: number, low: number, high: number];
  /** Corners counterclockwise. */
  readonly obstacles: readonly (readonly (readonly [number, number])[])[];
  readonly starts: readonly (readonly [number, number])[];
  readonly goals: readonly (readonly [number, number])[];
}

export interface DiscCrowdRun {
  /** Processor time of each step. */
  readonly milliseconds: readonly number[];
  /** Two numbers for each disc, after each step. */
  readonly positions: Float32Array;
}

export function buildRvo2(): PeerDriver {
  const found = findPeer('rvo2');
  if (found === null) {
    return {
      missing:
        'RVO2 was left out: npm install --no-save --ignore-scripts --prefix bench/.peers rvo2@1.2.0 brings its source.',
    };
  }
  const folder = join(found.folder, 'src');
  return compileDriver('RVO2', 'rvo2-driver', source, [`-I${folder}`, ...FILES.map((file) => join(folder, file))]);
}

export function runRvo2(driver: string, crowd: DiscCrowd): DiscCrowdRun {
  const { seed, timeStep, mostSteps, tolerance, radius, speed, horizon, neighbors, door } = crowd;
  const numbers: (number | readonly number[])[] = [seed, timeStep, mostSteps, tolerance, radius, speed, horizon];
  numbers.push(neighbors, door, crowd.obstacles.length);
  for (const corners of crowd.obstacles) numbers.push(corners.length, ...corners);
  numbers.push(crowd.starts.length);
  for (const [i, start] of crowd.starts.entries()) numbers.push(start, crowd.goals[i]);
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-rvo2-'));
  try {
    const file = join(folder, 'positions');
    const input = `${numbers.flat().join(' ')}\n`;
    const { stdout, status } = spawnSync(driver, [file], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error('the driver of RVO2 failed');
    const milliseconds = stdout
      .trim()
      .split('\n')
      .map((line) => Number(line) / 1000);
    const bytes = readFileSync(file);
    return {
      milliseconds,
      positions: new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
