// The colors of bodies and of how they stand to each other, the same in the pictures of reports and in the lab.

/** What a color of {@link REPORT_COLORS} stands for. */
export type ReportColor = 'bodyA' | 'bodyB' | 'clear' | 'near' | 'touching' | 'overlapping' | 'mark';

/** A color for pages in light and one for pages in dark, as #rrggbb. */
export interface ThemedColor {
  readonly light: string;
  readonly dark: string;
}

/**
 * Two bodies of equal standing; a body by the worst that was found: clear of all others, nearer than allowed, touching,
 * overlapping; and lines and points that mark where.
 */
export const REPORT_COLORS: Readonly<Record<ReportColor, ThemedColor>> = {
  bodyA: { light: '#4a8fd8', dark: '#5b9be0' },
  bodyB: { light: '#f0903a', dark: '#ea9648' },
  clear: { light: '#a9bccd', dark: '#8ea6bb' },
  near: { light: '#f2c638', dark: '#dcb53a' },
  touching: { light: '#9068cf', dark: '#a583df' },
  overlapping: { light: '#e0483e', dark: '#dc554b' },
  mark: { light: '#d6246e', dark: '#ff5c9e' },
};

/** A color of the light theme as bytes. */
export function reportColor(name: ReportColor): readonly [red: number, green: number, blue: number] {
  const value = Number.parseInt(REPORT_COLORS[name].light.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
