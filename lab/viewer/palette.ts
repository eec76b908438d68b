// The colors of what is drawn; those of bodies and of how they stand to each other are the reports'. Flat ones reach the
// screen exactly as written, which the browser tests rely on.
import { REPORT_COLORS } from 'nearfield/io';

export type Theme = 'light' | 'dark';

const colors = {
  /** Lit surfaces, from outside and from inside. */
  surface: REPORT_COLORS.clear,
  back: { light: '#d29b78', dark: '#a8724f' },
  /** Two bodies of equal standing. */
  bodyA: REPORT_COLORS.bodyA,
  bodyB: REPORT_COLORS.bodyB,
  /** A second body beside the first. */
  second: { light: '#c9b7dc', dark: '#9a86b4' },
  /** Bodies that overlap another, touch one, or are too near to one. */
  clash: REPORT_COLORS.overlapping,
  touch: REPORT_COLORS.touching,
  near: REPORT_COLORS.near,
  /** The hull around a model, as a veil and as lines. */
  hull: { light: '#e0a860', dark: '#c98f45' },
  hullEdges: { light: '#a3600f', dark: '#ffc27a' },
  edges: { light: '#4a6072', dark: '#1a2732' },
  ground: { light: '#9fb0bf', dark: '#4b5b69' },
  /** What a shadow on the ground turns to. */
  shadow: { light: '#1d2c3a', dark: '#000000' },
  /** Below lines that must be seen on any color. */
  halo: { light: '#ffffff', dark: '#0b0f13' },
  /** Classes of hull faces (Ehmann and Lin 2001, figures 2 and 10). */
  original: { light: '#3f9d4f', dark: '#55b865' },
  contained: { light: '#e5c02e', dark: '#e8c948' },
  free: { light: '#cf3f36', dark: '#e2574c' },
  /** A body where it would be, as a veil. */
  ghost: { light: '#2f9e8f', dark: '#5fd0bf' },
  /** Minkowski sums by the hops that a ray from the origin takes to them, and those that none reaches. */
  hop0: { light: '#2c6fb5', dark: '#5b9be0' },
  hop1: { light: '#9a62b5', dark: '#b98ad2' },
  hop2: { light: '#c79a1f', dark: '#e0b945' },
  hop3: { light: '#c25a3c', dark: '#e27f60' },
  unreached: { light: '#9aa6b0', dark: '#6b7680' },
  /** Flat colors. */
  reflex: { light: '#10161c', dark: '#ffffff' },
  boundary: REPORT_COLORS.mark,
  nonManifold: { light: '#7b3fc4', dark: '#b98cff' },
  crossing: { light: '#d8322a', dark: '#ff6a5c' },
  inside: { light: '#f0a432', dark: '#e09a2e' },
  outside: { light: '#cfe2ee', dark: '#21384a' },
  contour: { light: '#31566e', dark: '#7fa9c4' },
  /** Lines on pictures in a scale of colors, which is the same in light and dark. */
  isoline: { light: '#3a4a56', dark: '#2c3a45' },
  paleIsoline: { light: '#b9c8d2', dark: '#b9c8d2' },
  /** Sites and the graph of a Voronoi diagram, on regions that are pale in light and dark. */
  site: { light: '#16202a', dark: '#16202a' },
  furniture: { light: '#f7f2e8', dark: '#f7f2e8' },
  graph: { light: '#c2185b', dark: '#c2185b' },
  front: { light: '#ffffff', dark: '#ffffff' },
  surfaceLine: { light: '#10161c', dark: '#10161c' },
  handleRim: { light: '#ffffff', dark: '#0b0f13' },
  probe: { light: '#0a6a94', dark: '#5cc2ee' },
} as const satisfies Record<string, Record<Theme, string>>;

export type ColorName = keyof typeof colors;

export function colorOf(name: ColorName, theme: Theme): string {
  return colors[name][theme];
}
