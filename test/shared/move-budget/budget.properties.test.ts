/** No order of movers, faults and redeliveries exceeds a budget: their requests in any order, against what really moves. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import { keyText, type ObjectKey } from '../../../shared/kubernetes/object-key.ts';
import type { Resource } from '../../../shared/kubernetes/resource.ts';
import type { Budget } from '../../../shared/move-budget/budget.ts';
import { moveBudgets } from '../../../shared/move-budget/move-budget.ts';
import type { MoveLedger } from '../../../shared/move-budget/move-ledger.ts';
import { type BudgetPorts, markWritten, withinBudget } from '../../../shared/move-budget/write-grants.ts';
import { cases } from '../../depth.ts';
import { MemoryMoveLedger } from '../../fakes/stores/memory-move-ledger.ts';
import { placed } from '../../functions/descheduler/scene.ts';

const SECOND = 1000;
/** A function's time: it writes nothing later. */
const INVOCATION_MS = 120 * SECOND;

/** A move that waits is asked for again. */
const AGAIN_MS = 10 * SECOND;
const DELIVERIES = 6;

interface Limit {
  readonly per: 'Hub' | 'Cluster' | 'Workload';
  readonly replicas: string;
  readonly window?: string;
}

interface Mover {
  readonly workload: number;
  readonly leaves: Readonly<Record<string, number>>;
  /** Its first invocation ends there, and its message is delivered again. */
  readonly ends: 'never' | 'granted';
  /** How much time passes before its write. */
  readonly slowness: number;
}

const WINDOW_MS = 600 * SECOND;
const limits = fc.record<Limit>(
  {
    per: fc.constantFrom('Hub', 'Cluster', 'Workload'),
    replicas: fc.integer({ min: 0, max: 6 }).map(String),
    window: fc.constant('10m'),
  },
  { requiredKeys: ['per', 'replicas'] },
);
const movers = fc.record<Mover>({
  workload: fc.integer({ min: 0, max: 3 }),
  leaves: fc.dictionary(fc.constantFrom('m1', 'm2'), fc.integer({ min: 1, max: 4 })),
  ends: fc.constantFrom('never', 'granted'),
  slowness: fc.constantFrom(0, SECOND, 60 * SECOND, 115 * SECOND, 125 * SECOND),
});

interface Moved {
  readonly workload: string;
  readonly leaves: Readonly<Record<string, number>>;
  readonly grantedAt: number;
  isReady: boolean;
}

/** What the hub really does: a written move is in flight until its replicas are ready. */
const namespaces = new Set(['shop']);

class Model {
  now = Date.parse('2026-11-21T10:00:00Z');
  readonly moved: Moved[] = [];
  readonly #limits: readonly Limit[];

  constructor(limits: readonly Limit[]) {
    this.#limits = limits;
  }

  write(move: Omit<Moved, 'isReady'>): Moved {
    const written = { ...move, isReady: false };
    this.moved.push(written);
    for (const limit of this.#limits) this.#check(limit, written);
    return written;
  }

  #check({ per, replicas, window }: Limit, last: Moved): void {
    const counted = this.moved.filter((each) =>
      window === undefined
        ? !each.isReady
        : each.grantedAt <= last.grantedAt && last.grantedAt - each.grantedAt < WINDOW_MS,
    );
    const scopes = per === 'Cluster' ? ['m1', 'm2'] : [undefined];
    for (const cluster of scopes) {
      const of = counted.filter(({ workload }) => per !== 'Workload' || workload === last.workload);
      const sum = of.reduce((total, { leaves }) => total + amountOf(leaves, cluster), 0);
      if (amountOf(last.leaves, cluster) > 0)
        expect(sum, `${per} ${window ?? 'at once'}`).toBeLessThanOrEqual(Number(replicas));
    }
  }

  /** The binding as the hub has it: one generation for each write, ready if all of its moves are. */
  binding({ namespace, name }: ObjectKey) {
    const of = this.moved.filter(({ workload }) => workload === name);
    const isReady = of.every((each) => each.isReady);
    const { metadata, ...rest } = placed({ m1: [4, isReady ? 4 : 3] });
    return { ...rest, metadata: { ...metadata, namespace, name, generation: 1 + of.length } };
  }
}

function amountOf(leaves: Readonly<Record<string, number>>, cluster: string | undefined): number {
  return cluster === undefined ? Object.values(leaves).reduce((a, b) => a + b, 0) : (leaves[cluster] ?? 0);
}

/** A hub and a table whose answers come in the order that the scheduler chooses. */
function connected(s: fc.Scheduler, model: Model, given: readonly Limit[]) {
  const spec = { metadata: { name: 'b', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-21T10:00:00Z' } };
  const budget = moveBudgets.parse({ ...spec, spec: { limits: given } });
  const getMany = async (_: unknown, keys: readonly ObjectKey[]) => {
    await s.schedule(Promise.resolve(), 'bindings');
    return new Map(keys.map((key) => [keyText(key), model.binding(key)]));
  };
  const list = async function* ({ plural }: Resource<unknown>) {
    if (plural === moveBudgets.plural) yield [budget];
  };
  const memory = new MemoryMoveLedger();
  const ledger: MoveLedger = {
    read: async (hub) => {
      const read = await memory.read(hub);
      await s.schedule(Promise.resolve(), 'read');
      return read;
    },
    save: async (...args) => {
      await s.schedule(Promise.resolve(), 'save');
      return memory.save(...args);
    },
  };
  const ports = { hubs: { uses: async () => true }, ledger, now: () => model.now } as unknown as BudgetPorts;
  return { hub: { name: 'karmada', getMany, list } as unknown as Hub, ports };
}

async function run(s: fc.Scheduler, given: readonly Limit[], all: readonly Mover[]): Promise<void> {
  const model = new Model(given);
  const { hub, ports } = connected(s, model, given);

  async function deliver({ workload, leaves, ends, slowness }: Mover, id: number): Promise<void> {
    const binding = { namespace: 'shop', name: `w${workload}` };
    for (let delivery = 1; delivery <= DELIVERIES; delivery += 1) {
      const { generation } = model.binding(binding).metadata;
      const request = { binding, reason: 'Policy', mover: `mover ${id}`, leaves, generation, replicas: 10 } as const;
      let grantedAt = 0;
      const decide = (budget: Budget) => {
        grantedAt = model.now;
        return budget.take(request);
      };
      const grant = await withinBudget(hub, { namespaces, decide }, ports);
      if (grant.result === 'exceeds') return;
      if (grant.result === 'waits') {
        model.now += AGAIN_MS;
        continue;
      }
      if (delivery === 1 && ends === 'granted') continue;
      model.now += slowness;
      await s.schedule(Promise.resolve(), 'write');
      if (model.now - grantedAt > INVOCATION_MS) continue;
      const written = model.write({ workload: binding.name, leaves, grantedAt });
      await markWritten(hub, { mover: request.mover, bindings: [binding] }, ports);
      void s.schedule(Promise.resolve(), 'ready').then(() => {
        written.isReady = true;
      });
      // A redelivery after the write finds the result of the first one.
      return;
    }
  }

  const done = Promise.all(all.map(deliver));
  await s.waitFor(done);
}

it(`holds for any order of movers, faults and redeliveries`, async () => {
  const numRuns = cases({ few: 300, all: 10_000 });
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(limits, { minLength: 1, maxLength: 2 }),
    fc.array(movers, { minLength: 2, maxLength: 6 }),
    run,
  );
  await fc.assert(property, { numRuns });
});
