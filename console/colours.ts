/** The page's colours for the canvas, which cannot use CSS variables. */

/** Read from elements that use them: the value of a custom property would contain light-dark() unresolved. */
export function coloursOf<const N extends string>(names: readonly N[]): Readonly<Record<N, string>> {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  try {
    const found = names.map((name) => {
      probe.style.color = `var(--${name})`;
      return [name, getComputedStyle(probe).color] as const;
    });
    return Object.fromEntries(found) as Record<N, string>;
  } finally {
    probe.remove();
  }
}
