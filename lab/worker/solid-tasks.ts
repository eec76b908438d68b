// Tasks of the scenes about solids.
import type { ProgressOptions } from 'nearfield/core';
import { type OffsetMesh, offsetMesh, type SolidifiedMesh, solidify } from 'nearfield/field';
import { inspectMesh, type Mesh } from 'nearfield/mesh';

interface Measured {
  readonly closed: boolean;
  readonly volume: number | null;
  readonly milliseconds: number;
}

export const solidTasks = {
  solidify(
    { mesh, resolution, rule }: { mesh: Mesh; resolution: number; rule: 'auto' | 'winding' | 'thicken' },
    options: ProgressOptions,
  ): SolidifiedMesh & Measured {
    return measured(() => solidify(mesh, { resolution, rule, signal: options.signal, onProgress: options.onProgress }));
  },

  offsetMesh(
    { mesh, distance, shell, resolution }: { mesh: Mesh; distance: number; shell: number | null; resolution: number },
    options: ProgressOptions,
  ): OffsetMesh & Measured {
    return measured(() =>
      offsetMesh(mesh, {
        distance,
        shell: shell ?? undefined,
        resolution,
        signal: options.signal,
        onProgress: options.onProgress,
      }),
    );
  },
};

function measured<Result extends { readonly mesh: Mesh }>(make: () => Result): Result & Measured {
  const start = performance.now();
  const made = make();
  const milliseconds = performance.now() - start;
  const { closed, volume } = inspectMesh(made.mesh);
  return { ...made, closed, volume, milliseconds };
}
