/** What moves replicas without a user: RebalancePolicies and ClusterDrains, and the MoveBudgets that limit them. */
import type { BudgetLimit } from '../../shared/console-api/operations/budgets.ts';
import type { DrainSummary, PolicySummary } from '../../shared/console-api/operations/policies.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { runTone } from '../decisions/decisions-page.tsx';
import { durationOf, keyOf, plural } from '../format.ts';
import { useAnswer } from '../live.ts';
import { Chip, type Tone } from '../parts/chip.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Table } from '../parts/table-frame.tsx';
import { Age, Clock } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';

const EVERY_MS = 2000;

export function policyTone(state: string | undefined): Tone {
  if (state === 'Waiting') return 'warn';
  if (state === 'Invalid') return 'bad';
  return runTone(state ?? '');
}

export function PoliciesPage({ hub }: { readonly hub: string }) {
  const policies = useAnswer('listPolicies', { hub }, EVERY_MS);
  const budgets = useAnswer('listBudgets', { hub }, EVERY_MS);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Policies</h1>
      </div>
      <Answered answer={policies} what="policies">
        {(data) => (
          <>
            <section aria-labelledby="policies-title">
              <h2 id="policies-title">RebalancePolicies</h2>
              <Policies hub={hub} policies={data.policies} />
            </section>
            <section aria-labelledby="drains-title">
              <h2 id="drains-title">Cluster drains</h2>
              <Drains hub={hub} drains={data.drains} />
            </section>
          </>
        )}
      </Answered>
      <Answered answer={budgets} what="budgets">
        {(data) => <Budgets hub={hub} {...data} />}
      </Answered>
    </div>
  );
}

function Policies({ hub, policies }: { readonly hub: string; readonly policies: readonly PolicySummary[] }) {
  if (policies.length === 0)
    return (
      <Empty title="No RebalancePolicies">
        A RebalancePolicy moves replicas back when a cluster recovers, on a schedule, or by pressure and price.
      </Empty>
    );
  return (
    <Table
      label="RebalancePolicies"
      columns={['Name', ['state', 'State'], ['number', 'Waves'], ['number', 'Moved'], 'Message', ['time', 'Next run']]}
    >
      {policies.map((policy) => (
        <tr key={policy.name}>
          <th scope="row">
            <a href={hrefOf({ page: 'policy', hub, name: policy.name })}>{policy.name}</a>
          </th>
          <StateCells of={policy} />
          <td class="col-time">
            {policy.nextRunAt === undefined ? <span class="muted">–</span> : <Clock time={policy.nextRunAt} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Drains({ hub, drains }: { readonly hub: string; readonly drains: readonly DrainSummary[] }) {
  if (drains.length === 0)
    return (
      <Empty title="No cluster is drained">
        Drain one on its page, or with: evenkeel drain CLUSTER. Its replicas move in waves, without a dip.
      </Empty>
    );
  return (
    <Table
      label="Cluster drains"
      columns={['Cluster', ['state', 'State'], ['number', 'Waves'], ['number', 'Moved'], 'Message', ['age', 'Begun']]}
    >
      {drains.map((drain) => (
        <tr key={drain.name}>
          <th scope="row">
            <a href={hrefOf({ page: 'cluster', hub, cluster: drain.cluster })}>{drain.cluster}</a>
            {drain.name !== drain.cluster && <span class="muted"> by {drain.name}</span>}
          </th>
          <StateCells of={drain} />
          <td class="col-age">
            {drain.lastRun === undefined ? <span class="muted">–</span> : <Age time={drain.lastRun.startedAt} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function StateCells({ of }: { readonly of: PolicySummary }) {
  const { state, message = '', lastRun, dryRun } = of;
  return (
    <>
      <td>
        <Chip tone={policyTone(state)}>{state ?? 'new'}</Chip>
      </td>
      <td class="col-number number">{lastRun === undefined ? '–' : `${lastRun.wavesDone}/${lastRun.waves}`}</td>
      <td class="col-number number">{lastRun === undefined ? '–' : lastRun.moved.toLocaleString()}</td>
      <td class="muted prose">{dryRun ? `Dry run. ${message}` : message}</td>
    </>
  );
}

function Budgets({ hub, budgets, moves }: { readonly hub: string } & OutputOf<'listBudgets'>) {
  const limits = budgets.flatMap(({ name, limits: all }) =>
    all.map((limit, i) => ({ key: `${name} ${i}`, name, limit })),
  );
  return (
    <section aria-labelledby="budgets-title">
      <h2 id="budgets-title">Move budgets</h2>
      {limits.length === 0 ? (
        <Empty title="No MoveBudgets">
          A MoveBudget limits how many replicas move at once, no matter what moves them. Without one, only each policy’s
          own limits apply.
        </Empty>
      ) : (
        <Table label="Move budgets" columns={['Budget', 'Limit', 'Counts', 'May move now']}>
          {limits.map(({ key, name, limit }) => (
            <tr key={key} class={limit.applies ? '' : 'muted'}>
              <th scope="row">{name}</th>
              <td>{limitText(limit)}</td>
              <td class="muted">{limit.reasons?.join(', ') ?? 'all moves'}</td>
              <td class="number">{leftText(limit)}</td>
            </tr>
          ))}
        </Table>
      )}
      {moves.length > 0 && (
        <Table label="Moves that count" columns={['Moving now', 'By', 'Leaves', ['age', 'Since']]}>
          {moves.map((move) => (
            <tr key={`${keyOf(move.binding)} ${move.mover}`}>
              <th scope="row">
                <a href={hrefOf({ page: 'workload', hub, ...move.binding })}>{keyOf(move.binding)}</a>
              </th>
              <td>{move.mover}</td>
              <td class="number">
                {Object.entries(move.leaves)
                  .map(([cluster, replicas]) => `${cluster} −${replicas}`)
                  .join(', ')}
              </td>
              <td class="col-age">
                <Age time={move.allowedAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

const per = { Hub: 'of the hub', Cluster: 'of each cluster', Workload: 'of each workload' } as const;

/** "10% of the replicas of each cluster within 1 h 00". */
function limitText({ per: scope, replicas, windowSeconds }: BudgetLimit): string {
  const amount = replicas.endsWith('%') ? `${replicas} of the replicas` : plural(Number(replicas), 'replica');
  return `${amount} ${per[scope]} ${windowSeconds === undefined ? 'at once' : `within ${durationOf(windowSeconds * 1000)}`}`;
}

function leftText({ applies, left, leftByCluster }: BudgetLimit): string {
  if (!applies) return 'does not apply now';
  if (left !== undefined) return left.toLocaleString();
  if (leftByCluster === undefined) return 'by workload';
  return Object.entries(leftByCluster)
    .map(([cluster, replicas]) => `${cluster} ${replicas.toLocaleString()}`)
    .join(', ');
}
