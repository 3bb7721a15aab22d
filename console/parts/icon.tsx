/** The page's icons, drawn as elements: `default-src 'self'` allows no data: URLs. */

const paths = {
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2.5l6 11H2zM8 6.500v3.500M8 11.900v.2',
  pause: 'M5.5 3.500v9M10.5 3.500v9',
  sun: 'M8 5.200a2.8 2.8 0 1 0 0 5.600a2.8 2.8 0 0 0 0-5.600M8 1.500v1.200M8 13.300v1.200M1.5 8h1.200M13.3 8h1.200M3.4 3.400l.9.900M11.7 11.700l.9.900M12.6 3.400l-.9.900M4.3 11.700l-.9.9',
  moon: 'M13 9.500A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5',
  search: 'M7 2.500a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9M10.3 10.300l3.2 3.2',
  right: 'M6 3.500l4.5 4.5-4.5 4.5',
  busy: 'M8 2.500a5.5 5.5 0 1 1-5.5 5.5',
  held: 'M5 7.500v-2a3 3 0 0 1 6 0v2M3.5 7.500h9v6h-9z',
  dash: 'M4 8h8',
} as const;

export type IconName = keyof typeof paths;

/** Hidden from screen readers, since a text is beside it. */
export function Icon({ name, tone }: { readonly name: IconName; readonly tone?: string }) {
  return (
    <svg class={`icon ${tone ?? ''}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M11 3v9h8z" class="sail" />
      <path d="M9.5 6v6h-5z" class="jib" />
      <path d="M2.5 14h19l-3 4.500a2 2 0 0 1-1.7.9H7.200a2 2 0 0 1-1.7-.9z" class="hull" />
    </svg>
  );
}
