/** A state as one word with an icon, never by colour alone. */
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain';

const icons: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  bad: 'cross',
  warn: 'warning',
  busy: 'busy',
  plain: 'dash',
};

export function Chip({
  tone,
  children,
  icon,
}: {
  readonly tone: Tone;
  readonly children: string;
  readonly icon?: IconName;
}) {
  return (
    <span class={`chip ${tone}`}>
      <Icon name={icon ?? icons[tone]} />
      {children}
    </span>
  );
}
