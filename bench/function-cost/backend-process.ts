/** The functions' backend in a separate process, so that its time is not counted as theirs: a practice hub with workloads, whose scheduler acts on triggers, and the table. */
import { startHubServer } from '../../local/practice-hub/hub-server.ts';
import type { ObjectStore } from '../../local/practice-hub/store/objects.ts';
import { startTable } from '../../local/table.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { answerRequests } from '../ask-process.ts';
import { fillHub } from '../policies/hub-objects.ts';

export interface Backend {
  readonly hub: string;
  readonly table: string;
}

const scheduler = { username: 'system:karmada:scheduler', manager: 'karmada-scheduler' };

function actOnTriggers(store: ObjectStore): void {
  store.onChange(({ plural, object, previous }) => {
    if (plural !== 'resourcebindings') return;
    const { namespace = '', name } = object.metadata;
    const triggered = object.spec?.rescheduleTriggeredAt;
    if (triggered === undefined || triggered === previous?.spec?.rescheduleTriggeredAt) return;
    const body = { status: { lastScheduledTime: toTimestamp(Date.now() + 1000) } };
    setImmediate(() =>
      store.patch(plural, { namespace, name }, { type: 'merge', body, subresource: 'status' }, scheduler),
    );
  });
}

async function start(workloads: number): Promise<Backend> {
  const server = await startHubServer({ port: 0 });
  fillHub(server.store, { workloads, policies: 0 });
  actOnTriggers(server.store);
  const table = await startTable();
  return { hub: server.url, table: table.endpoint };
}

answerRequests(start);
