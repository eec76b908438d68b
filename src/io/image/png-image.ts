// What the PNG reader and writer share (PNG specification, third edition): images, color types, the first bytes.

/** An image as stored in a PNG file: 8 bits per channel in a `Uint8Array`, 16 in a `Uint16Array`. */
export interface PngImage {
  readonly width: number;
  readonly height: number;
  /** 1: gray; 2: gray and opacity; 3: red, green, blue; 4: those and opacity. */
  readonly channels: 1 | 2 | 3 | 4;
  /** The channels of each pixel, row by row from the top. Length: width × height × channels. */
  readonly pixels: Uint8Array | Uint16Array;
}

export const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The specification's color type by number of channels. */
export const COLOR_TYPES = { 1: 0, 2: 4, 3: 2, 4: 6 } as const;

/** Chosen: the most bytes that the pixels of an image may have. */
export const MAX_PIXEL_BYTES = 2 ** 30;
