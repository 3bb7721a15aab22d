/** The descheduler's state on DynamoDB, in the table of the tasks: a row for the hub's run, rows for its chunks, one for the last decision on a binding, and the history. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Instant } from '../../core/time.ts';
import type { CandidateChunk, DeschedulingDecision, DeschedulingRun, RunKey } from '../../descheduling/descheduling.ts';
import type { Begun, DeschedulingStore, Swept } from '../../descheduling/descheduling-store.ts';
import type { AssumedReplicas } from '../../karmada/assignment/assume-cache.ts';
import { keyText, type ObjectKey } from '../../kubernetes/object-key.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, seconds, Table, type TableRow, tableStore } from './table.ts';

export class DynamoDbDeschedulingStore implements DeschedulingStore {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.descheduling);
  }

  async beginRun(run: DeschedulingRun, now: Instant): Promise<Begun> {
    const begun = await this.#table.put(toRunRow(run), {
      condition: 'attribute_not_exists(pk) OR #state = :finished OR #leaseUntil <= :now',
      names: { '#state': 'state', '#leaseUntil': 'leaseUntil' },
      values: { ':finished': 'Finished', ':now': now },
    });
    if (begun) return { begun: true };
    const holder = await this.readRun(run.hub);
    return holder === undefined ? this.beginRun(run, now) : { begun: false, holder };
  }

  async readRun(hub: string): Promise<DeschedulingRun | undefined> {
    const row = await this.#table.read(runKey(hub));
    return row && fromRunRow(row);
  }

  async writeChunk({ hub, run, number, bindings }: CandidateChunk, expiresAt: Instant): Promise<void> {
    const text = JSON.stringify(bindings);
    await this.#table.put({ ...chunkKey({ hub, run }, number), bindings: text, expiresAt: seconds(expiresAt) });
  }

  async readChunk(at: RunKey, number: number): Promise<CandidateChunk | undefined> {
    const row = await this.#table.read(chunkKey(at, number));
    return row && { ...at, number, bindings: JSON.parse(row.bindings as string) as ObjectKey[] };
  }

  async endSweep(at: RunKey, { seen, candidates, chunks, leaseUntil }: Swept): Promise<boolean> {
    const some = chunks.length > 0;
    const update = `SET #state = :next, #seen = :seen, #candidates = :candidates, #leaseUntil = :lease${some ? ', #pending = :chunks' : ''}`;
    const row = await this.#table.update(runKey(at.hub), update, {
      condition: '#run = :run AND #state = :sweeping',
      names: {
        '#run': 'run',
        '#state': 'state',
        '#seen': 'seen',
        '#candidates': 'candidates',
        '#leaseUntil': 'leaseUntil',
        ...(some && { '#pending': 'pendingChunks' }),
      },
      values: {
        ':run': at.run,
        ':sweeping': 'Sweeping',
        ':next': some ? 'Working' : 'Finished',
        ':seen': seen,
        ':candidates': candidates,
        ':lease': leaseUntil,
        ...(some && { ':chunks': new Set(chunks) }),
      },
    });
    return row !== undefined;
  }

  async reserve(
    at: RunKey,
    { before, replicas }: { readonly before: number; readonly replicas: number },
    assumed: AssumedReplicas,
  ): Promise<boolean> {
    const row = await this.#table.update(runKey(at.hub), 'SET #moved = :after, #assumed = :assumed', {
      condition: '#run = :run AND #state = :working AND #moved = :before',
      names: { '#run': 'run', '#state': 'state', '#moved': 'moved', '#assumed': 'assumed' },
      values: {
        ':run': at.run,
        ':working': 'Working',
        ':before': before,
        ':after': before + replicas,
        ':assumed': JSON.stringify(assumed),
      },
    });
    return row !== undefined;
  }

  async completeChunk(at: RunKey, number: number): Promise<DeschedulingRun | undefined> {
    const names = { '#run': 'run', '#pending': 'pendingChunks' };
    await this.#table.update(runKey(at.hub), 'DELETE #pending :done', {
      condition: '#run = :run',
      names,
      values: { ':run': at.run, ':done': new Set([number]) },
    });
    // DynamoDB removes an emptied set. The function that completes the last chunk finishes the run, or a redelivery if that function crashed here.
    await this.#table.update(runKey(at.hub), 'SET #state = :finished', {
      condition: '#run = :run AND #state = :working AND attribute_not_exists(#pending)',
      names: { ...names, '#state': 'state' },
      values: { ':run': at.run, ':working': 'Working', ':finished': 'Finished' },
    });
    const run = await this.readRun(at.hub);
    return run?.run === at.run ? run : undefined;
  }

  async lastDecision(hub: string, binding: ObjectKey): Promise<DeschedulingDecision | undefined> {
    const row = await this.#table.read(lastKey(hub, binding));
    return row && fromDecisionRow(row);
  }

  async record(decision: DeschedulingDecision, replaces: string | undefined, expiresAt: Instant): Promise<boolean> {
    const row = toDecisionRow(lastKey(decision.hub, decision.binding), decision, expiresAt);
    const condition =
      replaces === undefined
        ? { condition: 'attribute_not_exists(pk)' }
        : { condition: '#run = :replaces', names: { '#run': 'run' }, values: { ':replaces': replaces } };
    if (!(await this.#table.put(row, condition))) return false;
    await this.#table.put(toDecisionRow(historyKey(decision), decision, expiresAt));
    return true;
  }

  /** The history first: a decision settled in the binding's own row is then always in the history. */
  async settle(decision: DeschedulingDecision, expiresAt: Instant): Promise<void> {
    await this.#table.put(toDecisionRow(historyKey(decision), decision, expiresAt));
    await this.#table.put(toDecisionRow(lastKey(decision.hub, decision.binding), decision, expiresAt), {
      condition: '#run = :run',
      names: { '#run': 'run' },
      values: { ':run': decision.run },
    });
  }

  async decisions(hub: string, limit: number): Promise<readonly DeschedulingDecision[]> {
    const found: DeschedulingDecision[] = [];
    for await (const page of this.#table.query(partition(hub), 'DECISION#', { newestFirst: true })) {
      found.push(...page.map(fromDecisionRow));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }
}

function partition(hub: string): string {
  return `DESCHEDULING#${hub}`;
}

function runKey(hub: string): RowKey {
  return { pk: partition(hub), sk: 'RUN' };
}

function chunkKey({ hub, run }: RunKey, number: number): RowKey {
  return { pk: partition(hub), sk: `RUN#${run}#CHUNK#${String(number).padStart(5, '0')}` };
}

function lastKey(hub: string, binding: ObjectKey): RowKey {
  return { pk: `${partition(hub)}#${keyText(binding)}`, sk: 'LAST' };
}

function historyKey({ hub, run, binding }: DeschedulingDecision): RowKey {
  return { pk: partition(hub), sk: `DECISION#${run}#${keyText(binding)}` };
}

/** `hub` is a key of the tasks' index, so the attribute has another name here. DynamoDB has no empty number set, so it is omitted. */
function toRunRow({ hub, pendingChunks, assumed, ...run }: DeschedulingRun): TableRow & RowKey {
  return {
    ...runKey(hub),
    of: hub,
    ...run,
    assumed: JSON.stringify(assumed),
    ...(pendingChunks.length > 0 && { pendingChunks: new Set(pendingChunks) }),
  };
}

function fromRunRow({ pk: _pk, sk: _sk, of, pendingChunks, assumed, ...run }: TableRow): DeschedulingRun {
  const pending = pendingChunks instanceof Set ? [...(pendingChunks as Set<number>)].sort((a, b) => a - b) : [];
  const capacity = JSON.parse(assumed as string) as AssumedReplicas;
  return { ...(run as unknown as DeschedulingRun), hub: of as string, pendingChunks: pending, assumed: capacity };
}

function toDecisionRow(key: RowKey, decision: DeschedulingDecision, expiresAt: Instant): TableRow & RowKey {
  const { run, outcome } = decision;
  return { ...key, run, outcome, decision: JSON.stringify(decision), expiresAt: seconds(expiresAt) };
}

function fromDecisionRow({ decision }: TableRow): DeschedulingDecision {
  return JSON.parse(decision as string) as DeschedulingDecision;
}

export const awsDescheduling = tableStore<DeschedulingStore>(DynamoDbDeschedulingStore);
