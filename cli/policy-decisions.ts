/** `evenkeel decisions --policy`: the runs of a RebalancePolicy, newest first; or all that one of them decided, workload by workload. */
import { policiesIn } from '../shared/adapters/aws/aws-ports.ts';
import { Fault } from '../shared/model/fault.ts';
import { referenceLabel } from '../shared/model/object-reference.ts';
import {
  type RunRecord,
  triggerText,
  type Wave,
  type WorkloadDecision,
} from '../shared/model/rebalance-policy/policy-run.ts';
import { toTimestamp } from '../shared/model/time.ts';
import type { PolicyStore } from '../shared/ports/policy-store.ts';
import { aligned } from './aligned.ts';
import { changes } from './plan/print-plan.ts';

export interface PolicyQuestion {
  readonly hub: string;
  readonly table: string;
  readonly policy: string;
  readonly run?: string | undefined;
  /** Of workloads of a run. */
  readonly namespace?: string | undefined;
  readonly limit: number;
}

export interface Answer {
  readonly document: object;
  readonly table: string;
}

/** Runs of a hub are read so far back; of all its policies, for their history is one. */
const MOST = 10_000;

export async function policyDecisions(question: PolicyQuestion): Promise<Answer> {
  const { hub, table, policy, run, limit } = question;
  const store = policiesIn(table);
  const runs = (await store.runs(hub, MOST)).filter(({ name }) => name === policy);
  if (run !== undefined) return decisionsOf(store, named(runs, run, question), question);
  const shown = runs.slice(0, limit);
  return { document: { runs: shown.map(runDocument) }, table: runsTable(shown, question) };
}

function named(runs: readonly RunRecord[], name: string, { hub, policy }: PolicyQuestion): RunRecord {
  const found = runs.find(({ run }) => run.run === name);
  if (found !== undefined) return found;
  const [latest] = runs;
  const way = latest === undefined ? 'it has none' : `its latest is ${latest.run.run}; without --run they are all told`;
  throw new Fault('terminal', `--run ${name}: RebalancePolicy ${policy} on hub ${hub} has no such run; ${way}`, {
    reason: 'NoRun',
  });
}

function runDocument({ run: { startedAt, finishedAt, notBefore: _, inFlight, ...run } }: RunRecord): object {
  return {
    ...run,
    startedAt: toTimestamp(startedAt),
    ...(finishedAt !== undefined && { finishedAt: toTimestamp(finishedAt) }),
    triggers: run.triggers.map((trigger) => ({
      ...trigger,
      ...('at' in trigger && { at: toTimestamp(trigger.at) }),
    })),
    ...(inFlight && {
      inFlight: {
        ...inFlight,
        startedAt: toTimestamp(inFlight.startedAt),
        readyBy: toTimestamp(inFlight.readyBy),
      },
    }),
  };
}

function runsTable(runs: readonly RunRecord[], { hub, policy }: PolicyQuestion): string {
  if (runs.length === 0) return `RebalancePolicy ${policy} has made no run on hub ${hub}, as far as its history goes.`;
  const head = ['TIME', 'STATE', 'WAVES', 'WORKLOADS', 'MOVED', 'SKIPPED', 'SET OFF BY', 'RUN', 'MESSAGE'];
  const rows = runs.map(({ run }) => [
    toTimestamp(run.startedAt),
    run.state,
    `${run.wavesDone}/${run.waves}`,
    String(run.workloads),
    String(run.moved),
    String(run.skipped),
    run.triggers.map(triggerText).join(', '),
    run.run,
    run.message,
  ]);
  return aligned([head, ...rows], { right: [2, 3, 4, 5] }).join('\n');
}

async function decisionsOf(store: PolicyStore, record: RunRecord, { namespace }: PolicyQuestion): Promise<Answer> {
  const { hub, uid, run } = record;
  const { waves, skipped } = await store.decisions({ hub, uid, run: run.run });
  const isMeant = ({ workload }: WorkloadDecision) => namespace === undefined || workload.namespace === namespace;
  const moved = waves.flatMap(({ number, workloads }: Wave) =>
    // Waves count from 1 wherever people see them, their rebalancers' names among them.
    workloads.filter(isMeant).map((decision) => ({ wave: number + 1, ...decision })),
  );
  const left = skipped.flatMap(({ workloads }) => workloads).filter(isMeant);
  return {
    document: {
      ...runDocument(record),
      decisions: [...moved, ...left].map((decision) => ({ ...decision, outcome: outcomeOf(decision, record) })),
    },
    table: decisionsTable(record, [...moved, ...left]),
  };
}

/** Of one whose wave has not come, or never came. */
function outcomeOf({ outcome }: WorkloadDecision, { run }: RunRecord): string {
  return outcome ?? (run.state === 'Running' ? 'Waiting' : 'NotBegun');
}

function decisionsTable(
  record: RunRecord,
  decisions: readonly (WorkloadDecision & { readonly wave?: number })[],
): string {
  const { name, run } = record;
  const says = `Run ${run.run} of RebalancePolicy ${name}, set off by ${run.triggers.map(triggerText).join(', ')}: ${run.state}, ${run.message}`;
  if (decisions.length === 0) return `${says}\n\nIt concerned no workload, as far as its history goes.`;
  const head = ['WAVE', 'WORKLOAD', 'OUTCOME', 'MOVES', 'REPLICAS', 'REASON'];
  const rows = decisions.map(({ wave, ...decision }) => [
    wave === undefined ? '-' : String(wave),
    referenceLabel(decision.workload),
    outcomeOf(decision, record),
    String(decision.moves),
    changes(new Map(Object.entries(decision.current)), new Map(Object.entries(decision.next))),
    decision.reason ?? decision.why,
  ]);
  return [says, '', ...aligned([head, ...rows], { right: [0, 3] })].join('\n');
}
