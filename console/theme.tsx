/** The theme: light, dark, or the system's; saved for the next visit. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Icon } from './parts/icon.tsx';

type Theme = 'system' | 'light' | 'dark';
const KEY = 'evenkeel.theme';

const theme = signal<Theme>(kept());

function kept(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    // Storage may be blocked; the system's theme is the fallback.
    return 'system';
  }
}

export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

function isDark(): boolean {
  if (theme.value !== 'system') return theme.value === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

function toggle(): void {
  theme.value = isDark() ? 'light' : 'dark';
  applyTheme();
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // Not saved: applies to this visit only.
  }
}

/** Repaints a canvas at first and when the colours change, which it does not follow by itself. */
export function useColourChange(repaint: () => void): void {
  const chosen = theme.value;
  useEffect(() => {
    repaint();
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', repaint);
    return () => system.removeEventListener('change', repaint);
    // `repaint` changes at each render without a different effect.
  }, [chosen]);
}

export function ThemeSwitch() {
  const dark = isDark();
  const label = dark ? 'Switch to light colours' : 'Switch to dark colours';
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={toggle}>
      <Icon name={dark ? 'sun' : 'moon'} />
    </button>
  );
}
