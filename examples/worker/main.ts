// Asks a worker how deep a spoon is in a cup, so that the page never waits.
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const answer = document.querySelector('#answer')!;

worker.onmessage = ({ data }: MessageEvent<{ lower: number; upper: number; vector: number[] }>) => {
  answer.textContent = `depth ${data.upper.toFixed(4)}, at least ${data.lower.toFixed(4)}`;
};
answer.textContent = 'measuring';
worker.postMessage({ poseA: [0, 0, 0, 0, 0, 0, 1], poseB: [0, 0.4, 0, 0, 0, 0, 1] });
