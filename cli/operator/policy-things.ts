/** The rows of `evenkeel get policies` and `evenkeel get drains`. */
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
