// Boost.Polygon beside us: an exact diagram of segments in C++, of integers.
import { spawnSync } from 'node:child_process';
import source from './boost-voronoi.cpp?raw';
import { compileDriver, type PeerDriver } from './compile-driver.js';

/** Debian: libboost-dev. */
export function buildBoostVoronoi(): PeerDriver {
  const driver = compileDriver('Boost.Polygon', 'boost-voronoi', source, []);
  if ('file' in driver || !driver.missing.includes('boost/polygon')) return driver;
  return { missing: 'Boost.Polygon (Debian: libboost-dev) is not installed and was left out.' };
}

/** The least of some times for the diagram, milliseconds. Coordinates in the unit square become integers. */
export function timeBoostVoronoi(driver: string, segments: readonly number[], passes: number): number {
  const scaled = segments.map((value) => Math.round(value * 2 ** 30));
  const input = `${segments.length / 4} ${passes}\n${scaled.join(' ')}\n`;
  const { stdout, status } = spawnSync(driver, [], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error('the driver of Boost.Polygon failed');
  return Number(stdout.split(' ')[0]) / 1000;
}
