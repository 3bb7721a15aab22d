/** The page's colours for what is drawn on a canvas, which knows none of its variables. */

/** By the elements that wear them: a variable that depends on light or dark is told as it was written, and not as it comes out. */
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
