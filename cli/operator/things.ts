/** The resources of `evenkeel get`, and their columns. */
import type { DecisionSummary } from '../../shared/console-api/operations/decisions.ts';
import type { FleetWorkload } from '../../shared/console-api/operations/fleet.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import type { Ask } from '../../shared/console-api/operations.ts';
import { withLogged } from './hub-health.ts';
import { type PrintedColumn, type PrintedList, printedListOf, type Rows } from './printed-rows.ts';

export interface GetContext {
  readonly ask: Ask;
  readonly hub: () => Promise<string>;
  readonly namespace: string | undefined;
  /** Only rows of this RebalancePolicy. */
  readonly policy: string | undefined;
  readonly limit: number;
  /** Only hubs whose name contains this. */
  readonly search: string | undefined;
}

/** By the word after `get`. */
export const things: Readonly<Record<string, (query: GetContext) => Promise<PrintedList>>> = {
  hubs: async ({ ask, search }) => {
    const [{ hubs }, health] = await Promise.all([ask('listHubs', { search }), ask('getHealth', {})]);
    const document = { hubs: withLogged(hubs, health) };
    return rows(document, document.hubs, {
      columns: [
        { head: 'NAME', of: ({ name }) => name },
        { head: 'STATE', of: ({ reach }) => reach.state },
        { head: 'COMPARED', of: ({ reach }) => reach.comparedAt ?? '-' },
        { head: 'LAST EVENT', of: ({ lastEventAt }) => lastEventAt ?? '-' },
        { head: 'PAUSED', of: ({ paused }) => (paused === undefined ? '-' : pausedText(paused)) },
        { head: 'MESSAGE', of: ({ findings }) => findings.map(({ text }) => text).join('; '), text: true },
      ],
      name: ({ name }) => `hub/${name}`,
      none:
        search === undefined
          ? 'The deployment has no hubs; evenkeel hub add registers one.'
          : `The deployment has no hub whose name contains ${JSON.stringify(search)}.`,
    });
  },
  tasks: async ({ ask, hub, limit }) => {
    const document = await ask('listTasks', { hub: await hub(), limit });
    return rows(document, document.tasks, {
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
    });
  },
  decisions: async ({ ask, hub, namespace, limit }) => {
    const document = await ask('listDecisions', { hub: await hub(), limit, ...(namespace && { namespace }) });
    return rows(document, document.decisions, {
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
      none: 'The history has no decisions of the descheduler.',
    });
  },
  runs: async ({ ask, hub, policy, limit }) => {
    const document = await ask('listRuns', { hub: await hub(), limit, ...(policy && { policy }) });
    return rows(document, document.runs, {
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
    });
  },
  queues: async ({ ask }) => {
    const document = await ask('getHealth', {});
    return rows(document, document.queues, {
      columns: [
        { head: 'NAME', of: ({ name }) => name },
        { head: 'WAITING', of: ({ waiting }) => String(waiting), right: true },
        { head: 'IN FLIGHT', of: ({ inFlight }) => String(inFlight), right: true },
        { head: 'DEAD LETTERS', of: ({ deadLetters }) => String(deadLetters), right: true },
        { head: 'FEEDS', of: (queue) => queue.function },
      ],
      name: ({ name }) => `queue/${name}`,
      none: 'There are no queues.',
    });
  },
  clusters: async ({ ask, hub }) => {
    const document = await ask('getFleet', { hub: await hub() });
    return rows({ clusters: document.clusters }, document.clusters, {
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
    });
  },
  workloads: async ({ ask, hub, namespace }) => {
    const { clusters, workloads } = await ask('getFleet', { hub: await hub() });
    const meant = workloads.filter((workload) => namespace === undefined || workload.namespace === namespace);
    const names = clusters.map(({ name }) => name);
    const columns: PrintedColumn<FleetWorkload>[] = [
      { head: 'NAMESPACE', of: (workload) => workload.namespace || '-' },
      { head: 'NAME', of: ({ name }) => name },
      { head: 'KIND', of: ({ kind }) => kind, wide: true },
      { head: 'REPLICAS', of: ({ replicas }) => String(replicas), right: true },
      { head: 'READY', of: ({ shares }) => String(shares.reduce((sum, [, , ready]) => sum + ready, 0)), right: true },
      {
        head: 'CLUSTERS',
        of: ({ shares }) => shares.map((share) => shareText(names, share)).join(', ') || '-',
        text: true,
      },
    ];
    return rows({ workloads: meant.map((each) => workloadDocument(names, each)) }, meant, {
      columns,
      name: ({ key }) => `binding/${key.namespace}/${key.name}`,
      none: 'The hub places no workloads.',
    });
  },
};

function rows<R>(
  document: object,
  found: readonly R[],
  { columns, name, none }: Pick<Rows<R>, 'columns' | 'name' | 'none'>,
): PrintedList {
  return printedListOf({ rows: found, document, columns, name, none });
}

/** They belong to the deployment, not to a hub. */
export const ofDeployment: readonly string[] = ['hubs', 'queues'];

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
