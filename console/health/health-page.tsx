/** The health of Evenkeel: its hubs, its queues, and undelivered events. */
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import { plural } from '../format.ts';
import { type LiveAnswer, useAnswer } from '../live.ts';
import { Chip } from '../parts/chip.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Table } from '../parts/table-frame.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { HubTable } from './hub-table.tsx';

/** `hubs`: as the frame of the page reads them. */
export function HealthPage({ hubs }: { readonly hubs: LiveAnswer<{ readonly hubs: HubSummary[] }> }) {
  const health = useAnswer('getHealth', {});
  const deadLetters = useAnswer('listDeadLetters', { limit: 500 });
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

/** By the most severe findings: an unreachable hub also means that its events are not delivered. */
function HealthSummary({ queues, hubs }: HealthSummaryProps) {
  const having = (codes: readonly string[]) =>
    [...hubs, ...queues].filter(({ findings }) => findings.some(({ code }) => codes.includes(code))).length;
  const away = having(['HubUnreachable']);
  if (away > 0) return <Chip tone="bad">{`${plural(away, 'hub')} unreachable`}</Chip>;
  const silent = having(['HubNotCompared', 'HubNeverCompared']);
  if (silent > 0) return <Chip tone="bad">{`${plural(silent, 'hub')} not compared`}</Chip>;
  const dead = queues.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
  if (dead > 0) return <Chip tone="bad">{plural(dead, 'dead letter')}</Chip>;
  return <Chip tone="good">everything is delivered</Chip>;
}

function Queues({ queues }: { readonly queues: HealthAnswer['queues'] }) {
  if (queues.length === 0) return <Empty title="No queues">This deployment delivers no events through queues.</Empty>;
  return (
    <Table
      label="Queues"
      kind="cards queues"
      columns={['Function', 'Queue', ['number', 'Waiting'], ['number', 'In flight'], ['number', 'Dead']]}
    >
      {queues.map((queue) => (
        <tr key={queue.name}>
          <th scope="row">{queue.function}</th>
          <td class="muted" data-label="Queue">
            {queue.name}
          </td>
          <Count of={queue.waiting} label="Waiting" />
          <Count of={queue.inFlight} label="In flight" />
          <Count of={queue.deadLetters} label="Dead" bad={hasDeadLetters(queue)} />
        </tr>
      ))}
    </Table>
  );
}

function hasDeadLetters({ findings }: HealthAnswer['queues'][number]): boolean {
  return findings.some(({ code }) => code === 'DeadLetters');
}

interface CountProps {
  readonly of: number;
  readonly label: string;
  readonly bad?: boolean;
}

function Count({ of, label, bad = false }: CountProps) {
  return (
    <td class={`col-number number ${bad ? 'bad' : of === 0 ? 'muted' : ''}`} data-label={label}>
      {of.toLocaleString()}
    </td>
  );
}
