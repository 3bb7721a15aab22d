/** The rows of `evenkeel get policies`, `evenkeel get drains` and `evenkeel get budgets`. */
import type { BudgetLimit } from '../../shared/console-api/operations/budgets.ts';
import type { DrainSummary, PolicySummary } from '../../shared/console-api/operations/policies.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import type { PrintedColumn } from './printed-rows.ts';
import type { ThingRows } from './row-filter.ts';

const stateColumns: readonly PrintedColumn<PolicySummary>[] = [
  { head: 'STATE', of: ({ state = '-' }) => state },
  { head: 'LAST RUN', of: ({ lastRun }) => lastRun?.run ?? '-' },
  { head: 'WAVES', of: ({ lastRun }) => (lastRun ? `${lastRun.wavesDone}/${lastRun.waves}` : '-'), right: true },
  { head: 'MOVED', of: ({ lastRun }) => String(lastRun?.moved ?? '-'), right: true },
];
const message: PrintedColumn<PolicySummary> = { head: 'MESSAGE', of: (row) => row.message ?? '', text: true };

interface PolicyThings {
  readonly policies: ThingRows<PolicySummary>;
  readonly drains: ThingRows<DrainSummary>;
}

export function policyThings({ policies, drains }: OutputOf<'listPolicies'>): PolicyThings {
  const ofHub = { keyOf: ({ name }: PolicySummary) => ({ namespace: '', name }) };
  return {
    policies: {
      ...ofHub,
      rows: policies,
      documentOf: (rows) => ({ policies: rows }),
      columns: [
        { head: 'NAME', of: ({ name }) => name },
        ...stateColumns,
        { head: 'DRY RUN', of: ({ dryRun }) => String(dryRun), wide: true },
        { head: 'NEXT RUN', of: ({ nextRunAt = '-' }) => nextRunAt, wide: true },
        message,
      ],
      name: ({ name }) => `policy/${name}`,
      none: 'The hub has no RebalancePolicies.',
    },
    drains: {
      ...ofHub,
      rows: drains,
      documentOf: (rows) => ({ drains: rows }),
      namesOf: ({ name, cluster }) => [name, cluster],
      columns: [
        { head: 'NAME', of: ({ name }) => name },
        { head: 'CLUSTER', of: ({ cluster }) => cluster },
        ...stateColumns,
        message,
      ],
      name: ({ name }) => `drain/${name}`,
      none: 'The hub has no ClusterDrains; evenkeel drain CLUSTER creates one.',
    },
  };
}

interface PrintedLimit extends BudgetLimit {
  readonly name: string;
}

/** One row for each limit. */
export function budgetThings({ budgets }: OutputOf<'listBudgets'>): ThingRows<PrintedLimit> {
  return {
    rows: budgets.flatMap(({ name, limits }) => limits.map((limit) => ({ name, ...limit }))),
    documentOf: (rows) => ({ budgets: budgets.filter(({ name }) => rows.some((row) => row.name === name)) }),
    columns: [
      { head: 'NAME', of: ({ name }) => name },
      { head: 'PER', of: ({ per }) => per },
      { head: 'REPLICAS', of: ({ replicas }) => replicas, right: true },
      { head: 'WINDOW', of: ({ windowSeconds }) => (windowSeconds === undefined ? '-' : `${windowSeconds}s`) },
      { head: 'COUNTS', of: ({ reasons = ['all'] }) => reasons.join(',') },
      { head: 'LEFT', of: leftText },
    ],
    name: ({ name }) => `budget/${name}`,
    none: 'The hub has no MoveBudgets, or is registered without --budgets.',
  };
}

function leftText({ applies, left, leftByCluster }: BudgetLimit): string {
  if (!applies) return 'does not apply';
  if (left !== undefined) return String(left);
  const each = Object.entries(leftByCluster ?? {}).map(([cluster, replicas]) => `${cluster} ${replicas}`);
  return each.join(', ') || '-';
}
