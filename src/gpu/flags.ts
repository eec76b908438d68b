// WebGPU's flag values. The globals of these names exist only where WebGPU is loaded, and TypeScript's DOM library does
// not declare them.

/** What a buffer may be used for. */
export const BUFFER_USAGE = {
  MAP_READ: 0x0001,
  MAP_WRITE: 0x0002,
  COPY_SRC: 0x0004,
  COPY_DST: 0x0008,
  INDEX: 0x0010,
  VERTEX: 0x0020,
  UNIFORM: 0x0040,
  STORAGE: 0x0080,
  INDIRECT: 0x0100,
  QUERY_RESOLVE: 0x0200,
} as const;

/** What a texture may be used for. */
export const TEXTURE_USAGE = {
  COPY_SRC: 0x01,
  COPY_DST: 0x02,
  TEXTURE_BINDING: 0x04,
  STORAGE_BINDING: 0x08,
  RENDER_ATTACHMENT: 0x10,
} as const;

/** Which shader stages see a binding. */
export const SHADER_STAGE = { VERTEX: 0x1, FRAGMENT: 0x2, COMPUTE: 0x4 } as const;

/** How a buffer is mapped. */
export const MAP_MODE = { READ: 0x1, WRITE: 0x2 } as const;

/** Which channels of a color target are written. */
export const COLOR_WRITE = { NONE: 0x0, ALL: 0xf } as const;
