/** Takes in a hub's audit events from its control plane's log, where an audit webhook can't be set: EKS has only the log. */
import { awsBus } from '../../shared/aws/eventbridge-bus.ts';
import { awsHookAccess } from '../../shared/aws/registry-hook-access.ts';
import { emit } from '../../shared/runtime/emit.ts';
import { type LogLines, logsTask, onLogs } from '../../shared/runtime/logs-task.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { admitBatch } from './admit-batch.ts';
import { parseLines } from './read-audit-log.ts';
import { ReceiverStates } from './receiver-state.ts';

const factories = { hookAccess: awsHookAccess, bus: awsBus };
type ReadAuditLogContext = ContextOf<typeof factories>;

export const task = logsTask({ remember: () => new ReceiverStates(), run });

async function run({ hub, lines }: LogLines, ports: ReadAuditLogContext, memories: ReceiverStates): Promise<void> {
  const account = await ports.hookAccess.accountOf(hub);
  const recordsHistory = await ports.hookAccess.uses(hub, 'history');
  const { hubEventsPerSecond: perSecond } = ports.settings;
  const state = memories.of(hub);
  const batch = admitBatch(
    { hub, account, items: parseLines(lines), perSecond, now: ports.now(), recordsHistory },
    state,
  );
  await ports.bus.publish(batch.events);
  state.recent.add(batch.keys);
  emit(ports.telemetry, batch.telemetry);
}

export const handler = onLogs(task, factories);
