/** How each life of the local run ends, drawn by lot: killed at work, killed as it starts, or in the middle of writing a file. */

/** Which file operation is its last, and how much of it is on disk. */
export interface Death {
  readonly operation: number;
  readonly when: 'not begun' | 'begun' | 'half done' | 'done';
}

export type Life =
  | { readonly ends: 'at work'; readonly afterMs: number }
  /** After this part of the time that it takes to start. */
  | { readonly ends: 'starting'; readonly after: number }
  | { readonly ends: 'writing'; readonly death: Death };

const WORK_MS = 6000;
const WHEN = ['not begun', 'begun', 'half done', 'done'] as const;

/** With the folder new: version, lock, token and key pair are made once, and are torn then or never. */
const FIRST_WRITES = [1, 3, 4, 6];

export function drawLife(index: number, random: () => number): Life {
  const first = FIRST_WRITES[index];
  if (first !== undefined) return { ends: 'writing', death: { operation: first, when: 'begun' } };
  const when = WHEN[Math.floor(random() * WHEN.length)] ?? 'begun';
  const lot = random();
  if (lot < 0.2) return { ends: 'writing', death: { operation: 1 + Math.floor(random() * 8), when } };
  if (lot < 0.4) return { ends: 'starting', after: random() };
  return { ends: 'at work', afterMs: random() * WORK_MS };
}
