// Measures depths for the page. Models are made once and keep what they have learned.
import { findModel } from 'nearfield/mesh';
import { PenetrationPair } from 'nearfield/penetration';
import { ProximityModel } from 'nearfield/proximity';

const cup = new ProximityModel(findModel('cup').build());
const spoon = new ProximityModel(findModel('spoon').build());
const pair = new PenetrationPair(cup, spoon);

self.onmessage = ({ data }: MessageEvent<{ poseA: number[]; poseB: number[] }>) => {
  const { lower, upper, vector } = pair.measure(data.poseA, data.poseB);
  self.postMessage({ lower, upper, vector });
};
