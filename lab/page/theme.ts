// Light, dark, or as the system: the switch in the bar, remembered from visit to visit.
import type { Theme } from '../viewer/palette.js';

type Preference = Theme | 'system';

const KEY = 'nearfield.theme';
const LABELS: Readonly<Record<Preference, string>> = { system: 'System', light: 'Light', dark: 'Dark' };
const NEXT: Readonly<Record<Preference, Preference>> = { system: 'light', light: 'dark', dark: 'system' };

export interface ThemeSwitch {
  readonly theme: Theme;
  turn(): void;
}

export function themeSwitch(button: HTMLButtonElement, changed: (theme: Theme) => void): ThemeSwitch {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let preference = remembered();
  let theme: Theme = 'light';
  const apply = (): void => {
    theme = preference === 'system' ? (system.matches ? 'dark' : 'light') : preference;
    document.documentElement.dataset.theme = theme;
    button.textContent = LABELS[preference];
    button.setAttribute('aria-label', `Colors: ${LABELS[preference].toLowerCase()}. Switch to ${NEXT[preference]}.`);
    button.dataset.preference = preference;
  };
  const applyAndTell = (): void => {
    const before = theme;
    apply();
    if (theme !== before) changed(theme);
  };
  const turn = (): void => {
    preference = NEXT[preference];
    try {
      localStorage.setItem(KEY, preference);
    } catch {
      // Storage may be forbidden; the switch works all the same, for this visit.
    }
    applyAndTell();
  };
  button.addEventListener('click', turn);
  system.addEventListener('change', applyAndTell);
  apply();
  return {
    get theme() {
      return theme;
    },
    turn,
  };
}

/** Another page that shows a scene in a frame says its theme in the address: `?embed=dark`. */
function remembered(): Preference {
  const embedded = new URLSearchParams(location.search).get('embed');
  if (embedded === 'light' || embedded === 'dark') return embedded;
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
