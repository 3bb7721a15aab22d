/** A rebalance under way as people read it: a bar on a terminal, a line a change elsewhere, and what came of it. */
import { keyText } from '../../shared/model/object-key.ts';
import { referenceLabel } from '../../shared/model/object-reference.ts';
import { SECOND } from '../../shared/model/time.ts';
import { cut } from '../aligned.ts';
import type { Colours } from '../terminal.ts';
import type { Followed, Progress } from './follow-rebalance.ts';
import type { WorkloadState } from './judge-workload.ts';

/** The most of a bar that is read at a glance, and the least that still is one. */
const BAR = { most: 32, least: 8 } as const;

const blocks = [
  ['rescheduled', '█', 'green'],
  ['triggered', '▒', 'yellow'],
  ['failed', '×', 'red'],
  ['waiting', '·', 'dim'],
] as const satisfies readonly (readonly [WorkloadState, string, keyof Colours])[];

/** "12 of 40 rescheduled, 20 triggered, 6 waiting, 2 failed". */
export function progressText({ total, counts, unread }: Progress): string {
  const others = (['triggered', 'waiting', 'failed'] as const).filter((state) => counts[state] > 0);
  const parts = [
    `${counts.rescheduled} of ${total} rescheduled`,
    ...others.map((state) => `${counts[state]} ${state}`),
  ];
  return unread === undefined ? parts.join(', ') : `${parts.join(', ')} (the hub does not answer)`;
}

/** One line that fits: of a narrow terminal first the bar goes, then the end of the text. */
export function progressLine(
  progress: Progress,
  { width, ms, colours }: { readonly width: number; readonly ms: number; readonly colours: Colours },
): string {
  const text = `${progressText(progress)}  ${Math.floor(ms / SECOND)} s`;
  // One column is left free: a terminal may wrap at the last one.
  const room = width - 1;
  const length = Math.min(BAR.most, room - text.length - 2);
  return length < BAR.least ? cut(text, room) : `${bar(progress, length, colours)}  ${text}`;
}

/** Every state that anything is in has a block at least, so that one failure among thousands is seen. */
function bar({ total, counts }: Progress, length: number, colours: Colours): string {
  const sizes = blocks.map(([state]) =>
    counts[state] === 0 ? 0 : Math.max(1, Math.floor((counts[state] * length) / total)),
  );
  const rest = length - sizes.reduce((sum, size) => sum + size, 0);
  const largest = sizes.indexOf(Math.max(...sizes));
  return blocks
    .map(([, block, colour], i) => {
      const size = Math.max(0, (sizes[i] ?? 0) + (i === largest ? rest : 0));
      return size === 0 ? '' : colours[colour](block.repeat(size));
    })
    .join('');
}

/** What is not rescheduled, a line each. */
export function unfinished({ bindings }: Followed, { judgements }: Progress): readonly string[] {
  return bindings.flatMap(({ metadata, spec }) => {
    const { state, reason } = judgements.get(keyText(metadata)) ?? {};
    return state === undefined || state === 'rescheduled'
      ? []
      : [`${state}: ${referenceLabel(spec.resource)}: ${reason ?? ''}`];
  });
}
