/** Takes in a hub's audit events from its control plane's log, where an audit webhook can't be set: EKS has only the log. */
import { awsBus, awsHubs } from '../../shared/edge/aws-ports.ts';
import { type LogLines, logsTask, onLogs } from '../../shared/edge/logs-task.ts';
import type { Ports, Surroundings } from '../../shared/ports/ports.ts';
import { HubMemories } from './hub-memory.ts';
import { parseLines } from './read-audit-log.ts';
import { sayChanges } from './say-changes.ts';

type Uses = Pick<Ports, 'hubs' | 'bus'> & Surroundings;

export const task = logsTask({ remember: () => new HubMemories(), run });

async function run({ hub, lines }: LogLines, ports: Uses, memories: HubMemories): Promise<void> {
  await sayChanges({ hub, items: parseLines(lines) }, ports, memories.of(hub));
}

export const handler = onLogs(task, { hubs: awsHubs, bus: awsBus });
