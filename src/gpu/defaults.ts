/** The options of devices when none are given. */
export const GPU_DEFAULTS = {
  /** Features to request from a device if its adapter has them. */
  features: ['depth32float-stencil8'],
} as const satisfies { features: readonly GPUFeatureName[] };
