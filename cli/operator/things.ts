/** The resources of `evenkeel get`, and their columns. */
import type { DecisionSummary, RunSummary } from '../../shared/console-api/operations/decisions.ts';
import type { FleetCluster, FleetWorkload } from '../../shared/console-api/operations/fleet.ts';
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import type { Ask, OutputOf } from '../../shared/console-api/operations.ts';
import { ownValue } from '../../shared/core/own-value.ts';
import { type HubHealth, withLogged } from './hub-health.ts';
import { budgetThings, policyThings } from './policy-things.ts';
import { noHubs, type PrintedList, printedListOf } from './printed-rows.ts';
import { type RowFilter, selected, type ThingRows } from './row-filter.ts';

export interface GetContext {
  readonly ask: Ask;
  readonly hub: () => Promise<string>;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** Only rows of this RebalancePolicy. */
  readonly policy: string | undefined;
  readonly limit: number;
  /** Only hubs whose name contains this. */
  readonly search: string | undefined;
}

export interface Thing {
  readonly list: (query: GetContext, filter: RowFilter) => Promise<PrintedList>;
}

function thing<R>(read: (query: GetContext) => Promise<ThingRows<R>>): Thing {
  return { list: async (query, filter) => printedListOf(selected(await read(query), filter)) };
}

/** By the word after `get`. */
export const things: Readonly<Record<string, Thing>> = {
  hubs: thing<HubHealth>(async ({ ask, search }) => {
    const [{ hubs }, health] = await Promise.all([ask('listHubs', { search }), ask('getHealth', {})]);
    return {
      rows: withLogged(hubs, health),
      documentOf: (rows) => ({ hubs: rows }),
      columns: [
        { head: 'NAME', of: ({ name }) => name },
        { head: 'STATE', of: ({ reach }) => reach.state },
        { head: 'COMPARED', of: ({ reach }) => reach.comparedAt ?? '-' },
        { head: 'LAST EVENT', of: ({ lastEventAt }) => lastEventAt ?? '-' },
        { head: 'PAUSED', of: ({ paused }) => (paused === undefined ? '-' : pausedText(paused)) },
        { head: 'MESSAGE', of: ({ findings }) => findings.map(({ text }) => text).join('; '), text: true },
      ],
      name: ({ name }) => `hub/${name}`,
      none: noHubs(search),
    };
  }),
  tasks: thing<OutputOf<'listTasks'>['tasks'][number]>(async ({ ask, hub, limit }) => {
    const { tasks } = await ask('listTasks', { hub: await hub(), limit });
    return {
      rows: tasks,
      documentOf: (rows) => ({ tasks: rows }),
      columns: [
        { head: 'NAME', of: ({ name }) => name },
        { head: 'STATE', of: ({ state }) => state },
        { head: 'WORKLOADS', of: ({ workloads }) => String(workloads), right: true },
        { head: 'SUCCESSFUL', of: ({ successful }) => String(successful), right: true },
        { head: 'FAILED', of: ({ failed }) => String(failed), right: true },
        { head: 'CHANGED', of: ({ updatedAt }) => updatedAt },
        { head: 'FINISHED', of: ({ finishedAt = '-' }) => finishedAt },
        { head: 'GENERATION', of: ({ generation }) => String(generation), right: true, wide: true },
        { head: 'UID', of: ({ uid }) => uid, wide: true },
      ],
      name: ({ name }) => `task/${name}`,
      none: 'No rebalances yet; "evenkeel rebalance" creates one.',
    };
  }),
  decisions: thing<DecisionSummary>(async ({ ask, hub, namespace, limit }) => {
    const { decisions } = await ask('listDecisions', { hub: await hub(), limit, ...(namespace && { namespace }) });
    return {
      rows: decisions,
      documentOf: (rows) => ({ decisions: rows }),
      namesOf: ({ binding }) => [binding.name],
      columns: [
        { head: 'TIME', of: ({ decidedAt }) => decidedAt },
        { head: 'BINDING', of: ({ binding }) => `${binding.namespace}/${binding.name}` },
        { head: 'OUTCOME', of: ({ outcome }) => outcome },
        { head: 'TAKEN', of: ({ taken }) => String(taken), right: true },
        { head: 'CLUSTERS', of: clustersText },
        { head: 'RUN', of: ({ run }) => run, wide: true },
        { head: 'REASON', of: ({ reason }) => reason, text: true },
      ],
      name: ({ binding, run }) => `decision/${binding.namespace}/${binding.name}/${run}`,
      none: noneIn('The history has no decisions of the descheduler', namespace),
    };
  }),
  runs: thing<RunSummary>(async ({ ask, hub, policy, limit }) => {
    const { runs } = await ask('listRuns', { hub: await hub(), limit, ...(policy && { policy }) });
    return {
      rows: runs,
      documentOf: (rows) => ({ runs: rows }),
      columns: [
        { head: 'RUN', of: ({ run }) => run },
        { head: 'POLICY', of: ({ policy }) => policy },
        { head: 'STATE', of: ({ state }) => state },
        { head: 'WAVES', of: ({ waves, wavesDone }) => `${wavesDone}/${waves}`, right: true },
        { head: 'MOVED', of: ({ moved }) => String(moved), right: true },
        { head: 'SKIPPED', of: ({ skipped }) => String(skipped), right: true },
        { head: 'WORKLOADS', of: ({ workloads }) => String(workloads), right: true, wide: true },
        { head: 'STARTED', of: ({ startedAt }) => startedAt, wide: true },
        { head: 'SET OFF BY', of: ({ setOffBy }) => setOffBy.join(', ') },
        { head: 'MESSAGE', of: ({ message }) => message, text: true },
      ],
      name: ({ run }) => `run/${run}`,
      none: 'The history has no runs of RebalancePolicies.',
    };
  }),
  policies: thing(async ({ ask, hub }) => policyThings(await ask('listPolicies', { hub: await hub() })).policies),
  drains: thing(async ({ ask, hub }) => policyThings(await ask('listPolicies', { hub: await hub() })).drains),
  budgets: thing(async ({ ask, hub }) => budgetThings(await ask('listBudgets', { hub: await hub() }))),
  queues: thing<HealthAnswer['queues'][number]>(async ({ ask }) => {
    const document = await ask('getHealth', {});
    return {
      rows: document.queues,
      documentOf: (rows) => ({ ...document, queues: rows }),
      columns: [
        { head: 'NAME', of: ({ name }) => name },
        { head: 'WAITING', of: ({ waiting }) => String(waiting), right: true },
        { head: 'IN FLIGHT', of: ({ inFlight }) => String(inFlight), right: true },
        { head: 'DEAD LETTERS', of: ({ deadLetters }) => String(deadLetters), right: true },
        { head: 'FEEDS', of: (queue) => queue.function },
      ],
      name: ({ name }) => `queue/${name}`,
      none: 'There are no queues.',
    };
  }),
  clusters: thing<FleetCluster>(async ({ ask, hub }) => {
    const { clusters } = await ask('getFleet', { hub: await hub() });
    return {
      rows: clusters,
      documentOf: (rows) => ({ clusters: rows }),
      keyOf: ({ name }) => ({ namespace: '', name }),
      columns: [
        { head: 'NAME', of: ({ name }) => name },
        { head: 'READY', of: ({ ready }) => String(ready) },
        { head: 'HEALTHY', of: ({ healthy }) => String(healthy) },
        {
          head: 'PODS',
          of: ({ pods }) => (pods === undefined ? '-' : `${pods.allocated}/${pods.allocatable}`),
          right: true,
        },
        { head: 'TAINTS', of: ({ taints }) => taints.join(', ') || '-' },
      ],
      name: ({ name }) => `cluster/${name}`,
      none: 'The hub has no clusters.',
    };
  }),
  workloads: thing<FleetWorkload>(async ({ ask, hub, namespace }) => {
    const { clusters, workloads } = await ask('getFleet', { hub: await hub() });
    const meant = workloads.filter((workload) => namespace === undefined || workload.namespace === namespace);
    const names = clusters.map(({ name }) => name);
    return {
      rows: meant,
      documentOf: (rows) => ({ workloads: rows.map((row) => workloadDocument(names, row)) }),
      item: (row) => workloadDocument(names, row),
      keyOf: ({ key }) => key,
      namesOf: ({ kind, name, key }) => [name, key.name, `${kind.toLowerCase()}/${name}`],
      columns: [
        { head: 'NAMESPACE', of: (workload) => workload.namespace || '-' },
        { head: 'NAME', of: ({ name }) => name },
        { head: 'KIND', of: ({ kind }) => kind, wide: true },
        { head: 'REPLICAS', of: ({ replicas }) => String(replicas), right: true },
        {
          head: 'READY',
          of: ({ shares }) => String(shares.reduce((sum, [, , ready]) => sum + ready, 0)),
          right: true,
        },
        {
          head: 'CLUSTERS',
          of: ({ shares }) => shares.map((share) => shareText(names, share)).join(', ') || '-',
          text: true,
        },
      ],
      name: ({ key }) => `binding/${key.namespace}/${key.name}`,
      none: noneIn('The hub places no workloads', namespace),
    };
  }),
};

/** The word for the history of one workload, which is no list. */
export const HISTORY = 'history';

/** In singular or plural. */
export function thingsNamed(word: string): { readonly list: string; readonly of: Thing } | undefined {
  const list = [word, `${word}s`, word.replace(/y$/, 'ies')].find((each) => Object.hasOwn(things, each)) ?? '';
  const of = ownValue(things, list);
  return of === undefined ? undefined : { list, of };
}

/** They belong to the deployment, not to a hub. */
export const ofDeployment: readonly string[] = ['hubs', 'queues'];

/** An empty list may only be that of another namespace. */
function noneIn(text: string, namespace: string | undefined): string {
  return namespace === undefined ? `${text}.` : `${text} in namespace ${namespace}; -A lists all namespaces.`;
}

/** "since 2026-11-22T08:00:00Z by console:alice@example.com". */
function pausedText({ since, by }: NonNullable<HubSummary['paused']>): string {
  return `since ${since}${by === undefined ? '' : ` by ${by}`}`;
}

/** "member1 5→2, member2 3 (EstimatorTimeout)". */
function clustersText({ clusters }: DecisionSummary): string {
  return clusters
    .map(({ name, assigned, taken, unusable }) => {
      const after = taken > 0 ? `→${assigned - taken}` : '';
      return `${name} ${assigned}${after}${unusable === undefined ? '' : ` (${unusable})`}`;
    })
    .join(', ');
}

/** "member1 3/4" if one is not ready, "member1 4", "member1 4 and 2 held". */
function shareText(names: readonly string[], [place, assigned, ready, held]: FleetWorkload['shares'][number]): string {
  const count = ready === assigned ? String(assigned) : `${ready}/${assigned}`;
  return `${names[place] ?? ''} ${count}${held === 0 ? '' : ` and ${held} held`}`;
}

function workloadDocument(names: readonly string[], { shares, ...workload }: FleetWorkload): object {
  const clusters = shares.map(([place, assigned, ready, held]) => ({ name: names[place], assigned, ready, held }));
  return { ...workload, clusters };
}
