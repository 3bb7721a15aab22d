/** Evenkeel in the stories: its log lines, and audit events that are sent to it. */
import { join } from 'node:path';
import { REAL_HUB } from '../../../../local/run.ts';
import type { LogCode } from '../../../../shared/core/log-codes.ts';
import { createTransport } from '../../../../shared/kubernetes/client/transport.ts';
import { readJsonLines } from '../json-lines.ts';
import type { Fleet } from './fleet.ts';

export interface LogLine {
  readonly code: LogCode;
  readonly name?: string;
  readonly event?: string;
  readonly reason?: string;
  readonly waiting?: number;
  readonly first?: string;
}

/** The log lines about one rebalancer. */
export function logOf({ hub }: Fleet, name: string): readonly LogLine[] {
  return readJsonLines<LogLine>(join(hub.hook.folder, 'evenkeel.log')).filter((line) => line.name === name);
}

/** Sends the audit event of a rebalancer's creation at once, before the API server's batch, which waits for a second. */
export async function sendCreationEvent({ hub }: Fleet, name: string): Promise<void> {
  const { url, token, cert } = hub.hook;
  const transport = createTransport(
    { server: url, caData: cert, token, hookTokens: [] },
    { maxSockets: 1, timeoutMs: 5000 },
  );
  const created = {
    stage: 'ResponseComplete',
    verb: 'create',
    objectRef: { apiGroup: 'apps.karmada.io', resource: 'workloadrebalancers', name },
    responseStatus: { code: 201 },
  };
  const body = { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items: [created] };
  const { status } = await transport.send({ method: 'POST', path: `/hubs/${REAL_HUB}/audit`, body });
  transport.close();
  if (status !== 200) throw new Error(`the hook answers ${status}`);
}
