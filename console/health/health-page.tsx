/** How Evenkeel itself does: its hubs, its queues, and what could not be delivered. */
import type { HealthAnswer } from '../../shared/operator/operations/health.ts';
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
  const letters = useAnswer('listDeadLetters', { limit: 500 });
  const hubs = useAnswer('listHubs', {}, 2000);
  return (
    <div class="page health">
      <div class="page-head">
        <h1>Health</h1>
        {health.data && <Verdict queues={health.data.queues} />}
      </div>
      <section aria-labelledby="hubs-title">
        <h2 id="hubs-title">Hubs</h2>
        <Answered answer={hubs} what="hubs">
          {(data) => <HubTable hubs={data.hubs} health={health.data} />}
        </Answered>
      </section>
      {health.data?.unread !== undefined && (
        <p class="notice">Nothing more is known of the hubs: {health.data.unread}</p>
      )}
      <section aria-labelledby="letters-title">
        <h2 id="letters-title">Dead letters</h2>
        <Answered answer={letters} what="dead letters">
          {(data) => <DeadLetters letters={data.deadLetters} />}
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

function Verdict({ queues }: { readonly queues: HealthAnswer['queues'] }) {
  const dead = queues.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
  return dead > 0 ? (
    <Chip tone="bad">{plural(dead, 'dead letter')}</Chip>
  ) : (
    <Chip tone="good">everything is delivered</Chip>
  );
}

function Queues({ queues }: { readonly queues: HealthAnswer['queues'] }) {
  if (queues.length === 0) return <Empty title="There is no queue">Nothing is delivered here by a queue.</Empty>;
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
