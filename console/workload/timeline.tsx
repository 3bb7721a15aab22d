/** What was seen, decided and written about a workload, the newest first. */
import type { Moment } from '../../shared/operator/operations/fleet.ts';
import { Empty } from '../parts/states.tsx';
import { Clock } from '../parts/time.tsx';

export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  if (moments.length === 0)
    return <Empty title="Nothing is known of it yet">What is seen, decided or written about it appears here.</Empty>;
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
