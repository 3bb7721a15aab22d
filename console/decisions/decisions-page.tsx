/** Automatic moves of replicas: the runs of RebalancePolicies, and the decisions of the descheduler. */
import type { DecisionSummary, RunSummary } from '../../shared/console-api/operations/decisions.ts';
import { keyOf } from '../format.ts';
import { useAnswer } from '../live.ts';
import { Chip, type Tone } from '../parts/chip.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Table } from '../parts/table-frame.tsx';
import { Age } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';

const EVERY_MS = 2000;

export function runTone(state: string): Tone {
  if (state === 'Running') return 'busy';
  if (state === 'Finished') return 'good';
  return state === 'Stopped' ? 'bad' : 'plain';
}

export function DecisionsPage({ hub }: { readonly hub: string }) {
  const runs = useAnswer('listRuns', { hub }, EVERY_MS);
  const decisions = useAnswer('listDecisions', { hub }, EVERY_MS);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Decisions</h1>
      </div>
      <section aria-labelledby="runs-title">
        <h2 id="runs-title">Policy runs</h2>
        <Answered answer={runs} what="policy runs">
          {(data) => <Runs hub={hub} runs={data.runs} />}
        </Answered>
      </section>
      <section aria-labelledby="sweeps-title">
        <h2 id="sweeps-title">Descheduler</h2>
        <Answered answer={decisions} what="descheduler’s decisions">
          {(data) => <Decisions hub={hub} decisions={data.decisions} />}
        </Answered>
      </section>
    </div>
  );
}

export function Runs({ hub, runs }: { readonly hub: string; readonly runs: readonly RunSummary[] }) {
  if (runs.length === 0)
    return (
      <Empty title="No policy runs">
        A RebalancePolicy moves workloads when a cluster recovers or on a schedule; its runs appear here.
      </Empty>
    );
  return (
    <Table
      label="Policy runs"
      columns={[
        'Policy',
        ['state', 'State'],
        'Set off by',
        ['number', 'Workloads'],
        ['number', 'Replicas moved'],
        ['number', 'Waves'],
        'Message',
        ['age', 'Started'],
      ]}
    >
      {runs.map((run) => (
        <tr key={run.run} class={run.state === 'Running' ? 'of-hub' : ''}>
          <th scope="row">
            <a href={hrefOf({ page: 'run', hub, run: run.run })}>{run.policy}</a>
          </th>
          <td>
            <Chip tone={runTone(run.state)}>{run.state}</Chip>
          </td>
          <td>{run.setOffBy.join(', ')}</td>
          <td class="col-number number">{run.workloads.toLocaleString()}</td>
          <td class="col-number number">{run.moved.toLocaleString()}</td>
          <td class="col-number number">
            {run.wavesDone}/{run.waves}
          </td>
          <td class="muted prose">{run.message}</td>
          <td class="col-age">
            <Age time={run.startedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const outcomeTones: Readonly<Record<string, Tone>> = {
  Written: 'good',
  Planned: 'busy',
  Withheld: 'warn',
  CannotForecast: 'warn',
};

function Decisions({ hub, decisions }: { readonly hub: string; readonly decisions: readonly DecisionSummary[] }) {
  if (decisions.length === 0)
    return (
      <Empty title="No descheduler decisions">
        The descheduler checks workloads with a reschedulingPolicy, and evicts only replicas that fit on no node.
      </Empty>
    );
  return (
    <Table
      label="Decisions of the descheduler"
      columns={['Binding', ['state', 'Outcome'], ['number', 'Taken'], 'Clusters', 'Why', ['age', 'Decided']]}
    >
      {decisions.map((decision) => (
        <tr key={`${decision.run} ${keyOf(decision.binding)}`}>
          <th scope="row">
            <a href={hrefOf({ page: 'workload', hub, ...decision.binding })}>{keyOf(decision.binding)}</a>
          </th>
          <td>
            <Chip tone={outcomeTones[decision.outcome] ?? 'plain'}>{decision.outcome}</Chip>
          </td>
          <td class="col-number number">{decision.taken.toLocaleString()}</td>
          <td>
            {decision.clusters
              .filter(({ taken, unusable }) => taken > 0 || unusable !== undefined)
              .map((cluster) => (
                <span class="cluster-change" key={cluster.name} title={cluster.unusable}>
                  {cluster.name}{' '}
                  <span class="number">
                    {cluster.assigned} → {decision.next[cluster.name] ?? cluster.assigned - cluster.taken}
                  </span>
                  {cluster.unusable !== undefined && ' (no answer)'}
                </span>
              ))}
          </td>
          <td class="muted prose">{decision.reason}</td>
          <td class="col-age">
            <Age time={decision.decidedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
