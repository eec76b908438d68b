// The control of scenes that compute on the processor or on a GPU.
import type { Controls } from './controls.js';

export const BACKEND_CONTROL = {
  kind: 'choice',
  label: 'Compute on',
  options: [
    { value: 'auto', label: 'GPU if any' },
    { value: 'cpu', label: 'CPU' },
    { value: 'webgpu', label: 'WebGPU' },
  ],
} as const satisfies Controls[string];
