/** Observations, decisions and writes of a workload, newest first. */
import type { Moment } from '../../shared/console-api/operations/fleet.ts';
import { Empty } from '../parts/states.tsx';
import { Clock } from '../parts/time.tsx';

export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  if (moments.length === 0)
    return <Empty title="No history yet">Observations, decisions and writes of this workload appear here.</Empty>;
  return (
    <ol class="timeline" tabIndex={0} aria-label="History">
      {moments.map((moment) => (
        <li key={`${moment.at} ${moment.who} ${moment.text}`} class={`moment ${moment.what}`} title={moment.id}>
          <Clock time={moment.at} />
          <span class="moment-what">{moment.what}</span>
          <span class="moment-text">
            <strong>{moment.who}</strong> {moment.text}
          </span>
        </li>
      ))}
    </ol>
  );
}
