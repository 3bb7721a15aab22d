/** Prints the progress of a rebalance: a bar on a terminal, a line per change elsewhere, and the result. */
import { SECOND } from '../../shared/core/time.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { cut } from '../aligned.ts';
import type { Colours } from '../terminal.ts';
import type { Followed, Progress } from './follow-rebalance.ts';
import type { WorkloadState } from './workload-progress.ts';

/** Maximum and minimum width of the bar. */
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

/** One line that fits: on a narrow terminal the bar is dropped first, then the end of the text. */
export function progressLine(
  progress: Progress,
  { width, ms, colours }: { readonly width: number; readonly ms: number; readonly colours: Colours },
): string {
  const text = `${progressText(progress)}  ${Math.floor(ms / SECOND)} s`;
  // One column stays free: some terminals wrap at the last one.
  const capacity = width - 1;
  const length = Math.min(BAR.most, capacity - text.length - 2);
  return length < BAR.least ? cut(text, capacity) : `${bar(progress, length, colours)}  ${text}`;
}

/** Every state with at least one workload has a block, so that one failure among thousands is visible. */
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

/** One line per workload that is not rescheduled. */
export function unfinished({ bindings }: Followed, { progresses }: Progress): readonly string[] {
  return bindings.flatMap(({ metadata, spec }) => {
    const { state, reason } = progresses.get(keyText(metadata)) ?? {};
    return state === undefined || state === 'rescheduled'
      ? []
      : [`${state}: ${referenceLabel(spec.resource)}: ${reason ?? ''}`];
  });
}
