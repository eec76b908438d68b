// What every WebGPU device supports.

/** Format (WebGPU): the largest count of workgroups along an axis of a dispatch. */
export const MAX_GROUPS_ALONG_AXIS = 65_535;

/** Format (WebGPU): offsets of uniforms in a buffer are multiples of this, in bytes. */
export const UNIFORM_ALIGNMENT = 256;
