/** The effect of a rebalance on another client of a busy API server. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { connectionFromKubeconfig } from '../../shared/kubernetes/client/kubeconfig.ts';
import { askProcess, startProcess } from '../ask-process.ts';
import { makeBindings, send } from '../bindings.ts';
import { clear, type RebalanceArena } from './arena.ts';
import type { Contestant, ContestantName } from './contestants.ts';
import type { OtherAnswer, OtherRequest } from './other-client-process.ts';
import { cutsOf, parseLog } from './stages.ts';

export interface Beside {
  readonly name: ContestantName | 'no client';
  readonly round: number;
  readonly other: OtherAnswer;
  /** Of the rebalance; absent without one. */
  readonly ms?: number;
  /** The lowest limit of requests in flight of Evenkeel; absent if it was not reduced. */
  readonly inFlight?: number;
}

export const OTHER_LOOPS = 32;
const NAMESPACE = 'evenkeel-bench-other';
const ALONE_MS = 5000;
const WITHIN_MS = 60_000;

/** A client with a separate account and no priority level of its own. */
async function otherConnection({ hub, admin }: RebalanceArena): Promise<Connection> {
  const rbac = 'rbac.authorization.k8s.io';
  const subject = { kind: 'ServiceAccount', name: 'other', namespace: NAMESPACE };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'other', namespace: NAMESPACE } };
  const role = { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' };
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: NAMESPACE },
    roleRef: role,
    subjects: [subject],
  };
  await send(admin, { method: 'POST', path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, body: account });
  await send(admin, { method: 'POST', path: `/apis/${rbac}/v1/clusterrolebindings`, body: binding });
  const token = await hub.kubectl.run('create', 'token', '-n', NAMESPACE, 'other');
  const { server, caData } = await connectionFromKubeconfig(hub.adminKubeconfig);
  return { server, caData, token: token.trim(), hookTokens: [] };
}

export async function measureBeside(
  arena: RebalanceArena,
  contestants: readonly Contestant[],
  { workloads, rounds }: { readonly workloads: number; readonly rounds: number },
): Promise<readonly Beside[]> {
  await makeBindings(arena.admin, NAMESPACE, 50);
  const connection = await otherConnection(arena);
  const child = startProcess(new URL('./other-client-process.ts', import.meta.url));
  const ask = (request: OtherRequest) => askProcess<OtherAnswer>(child, request, WITHIN_MS);
  const found: Beside[] = [];
  try {
    await ask({ do: 'start', connection, namespace: NAMESPACE, loops: OTHER_LOOPS });
    for (let round = 0; round < rounds; round += 1) {
      await ask({ do: 'measure' });
      await wait(ALONE_MS);
      found.push({ name: 'no client', round, other: await ask({ do: 'report' }) });
      for (const contestant of contestants) {
        await contestant.enter();
        await ask({ do: 'measure' });
        const since = Date.now();
        const { ms } = await contestant.rebalance(arena.names.slice(0, workloads));
        const other = await ask({ do: 'report' });
        console.log(`round ${round + 1}, beside another client: ${contestant.name}: ${Math.round(ms)} ms`);
        const cuts = contestant.name === 'Evenkeel' ? cutsOf(readLog(arena), since) : [];
        found.push({
          name: contestant.name,
          round,
          other,
          ms,
          ...(cuts.length > 0 && { inFlight: Math.min(...cuts) }),
        });
        await contestant.leave();
        await clear(arena);
      }
    }
    await ask({ do: 'stop' });
    return found;
  } finally {
    child.kill();
  }
}

export function readLog({ hub }: RebalanceArena): ReturnType<typeof parseLog> {
  return parseLog(readFileSync(`${hub.hook.folder}/evenkeel.log`, 'utf8'));
}
