/** The options of devices when none are given. */
export const GPU_DEFAULTS = {
  /** Features that a device is asked for where its adapter has them. */
  features: ['depth32float-stencil8'],
} as const satisfies { features: readonly GPUFeatureName[] };
