/** The health of Evenkeel: its hubs, its queues, and undelivered events. */
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import { plural } from '../format.ts';
import { useAnswer } from '../live.ts';
import { Chip } from '../parts/chip.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { TableHead } from '../parts/table-head.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { HubTable } from './hub-table.tsx';

export function HealthPage() {
  const health = useAnswer('getHealth', {});
  const deadLetters = useAnswer('listDeadLetters', { limit: 500 });
  const hubs = useAnswer('listHubs', {}, 2000);
  return (
    <div class="page health">
      <div class="page-head">
        <h1>Health</h1>
        {health.data && hubs.data && <HealthSummary queues={health.data.queues} hubs={hubs.data.hubs} />}
      </div>
      <section aria-labelledby="hubs-title">
        <h2 id="hubs-title">Hubs</h2>
        <Answered answer={hubs} what="hubs">
          {(data) => <HubTable hubs={data.hubs} health={health.data} />}
        </Answered>
      </section>
      {health.data?.unread !== undefined && (
        <p class="notice">The health of the hubs could not be read: {health.data.unread}</p>
      )}
      <section aria-labelledby="dead-letters-title">
        <h2 id="dead-letters-title">Dead letters</h2>
        <Answered answer={deadLetters} what="dead letters">
          {(data) => <DeadLetters deadLetters={data.deadLetters} />}
        </Answered>
      </section>
      <section aria-labelledby="queues-title">
        <h2 id="queues-title">Queues</h2>
        <Answered answer={health} what="queues">
          {(data) => <Queues queues={data.queues} />}
        </Answered>
      </section>
    </div>
  );
}

interface HealthSummaryProps {
  readonly queues: HealthAnswer['queues'];
  readonly hubs: readonly HubSummary[];
}

/** The most severe state first: an unreachable hub also means that its events are not delivered. */
function HealthSummary({ queues, hubs }: HealthSummaryProps) {
  const away = hubs.filter(({ reach }) => reach.state === 'Unreachable');
  if (away.length > 0) return <Chip tone="bad">{`${plural(away.length, 'hub')} unreachable`}</Chip>;
  const silent = hubs.filter(({ reach, paused }) => reach.state !== 'Reachable' && paused === undefined);
  if (silent.length > 0) return <Chip tone="bad">{`${plural(silent.length, 'hub')} not compared`}</Chip>;
  const dead = queues.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
  return dead > 0 ? (
    <Chip tone="bad">{plural(dead, 'dead letter')}</Chip>
  ) : (
    <Chip tone="good">everything is delivered</Chip>
  );
}

function Queues({ queues }: { readonly queues: HealthAnswer['queues'] }) {
  if (queues.length === 0) return <Empty title="No queues">This deployment delivers no events through queues.</Empty>;
  return (
    <TableFrame label="Queues">
      <table class="table queues">
        <TableHead
          columns={['Function', 'Queue', ['number', 'Waiting'], ['number', 'In flight'], ['number', 'Dead']]}
        />
        <tbody>
          {queues.map((queue) => (
            <tr key={queue.name}>
              <th scope="row">{queue.function}</th>
              <td class="muted">{queue.name}</td>
              <Count of={queue.waiting} />
              <Count of={queue.inFlight} />
              <Count of={queue.deadLetters} bad />
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

function Count({ of, bad = false }: { readonly of: number; readonly bad?: boolean }) {
  return <td class={`col-number number ${of === 0 ? 'muted' : bad ? 'bad' : ''}`}>{of.toLocaleString()}</td>;
}
