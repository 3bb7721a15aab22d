/** What changed on the hub in the last hour. */
import { now, useAnswer } from '../live.ts';
import { Icon } from '../parts/icon.tsx';
import { Age } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';
import { type FleetChange, lastHour } from './changes.ts';

const icons = { good: 'check', bad: 'warning', busy: 'busy', plain: 'right' } as const;
const EVERY_MS = 3000;

export function RecentChanges({ hub }: { readonly hub: string }) {
  const tasks = useAnswer('listTasks', { hub }, EVERY_MS);
  const decisions = useAnswer('listDecisions', { hub }, EVERY_MS);
  const runs = useAnswer('listRuns', { hub }, EVERY_MS);
  const read = tasks.data !== undefined && decisions.data !== undefined && runs.data !== undefined;
  const sources = {
    tasks: tasks.data?.tasks ?? [],
    decisions: decisions.data?.decisions ?? [],
    runs: runs.data?.runs ?? [],
  };
  const changes = lastHour(hub, sources, now.value);
  return (
    <section class="panel changes" aria-labelledby="changes-title">
      <div class="panel-head">
        <h2 id="changes-title">Last hour</h2>
      </div>
      {changes.length === 0 ? (
        <p class="muted panel-empty">{read ? 'Nothing was moved in the last hour.' : 'Reading…'}</p>
      ) : (
        <ul class="change-list" tabIndex={0} aria-label="What changed in the last hour">
          {changes.map((change) => (
            <Line key={change.id} change={change} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ change: { at, title, text, tone, to } }: { readonly change: FleetChange }) {
  return (
    <li>
      <a class="change" href={hrefOf(to)}>
        <Icon name={icons[tone]} tone={tone} />
        <span class="change-title">{title}</span>
        <Age time={at} />
        <span class="change-text muted">{text}</span>
      </a>
    </li>
  );
}
