/** A fleet of spokes in numbers alone, on a clock of its own: what an ElasticWorkload's decisions do to it. For tests of the pure part. */
import {
  type Balance,
  balanceReplicas,
  type Memory,
} from '../../../../shared/model/elastic-workload/balance-replicas.ts';
import { type ElasticSpec, elasticSpec } from '../../../../shared/model/elastic-workload/elastic-workload-schema.ts';
import type { View } from '../../../../shared/model/elastic-workload/sights.ts';

interface Spoke {
  selected: boolean;
  available: boolean;
  /** Pods that find room there. */
  capacity: number;
  weight: number;
  /** Of the ManifestWork; undefined where there is none. */
  written: number | undefined;
  writtenAt: number;
  putBacks: number | undefined;
  /** The number on the spoke. */
  replicas: number | undefined;
  ready: number;
}

export function specOf(strategies: {
  readonly total: number;
  readonly balance?: object;
  readonly type?: 'Even' | 'Weighted';
}): ElasticSpec {
  const { total, balance = {}, type = 'Even' } = strategies;
  return elasticSpec.parse({
    target: { type: 'Inline', inline: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } },
    placementRef: { name: 'all' },
    distributionStrategy: { totalReplicas: total, type, ...(type === 'Weighted' && { weighted: {} }) },
    balanceStrategy: balance,
  });
}

export class Spokes {
  now = Date.parse('2026-11-22T10:00:00Z');
  spec: ElasticSpec;
  memory: Memory | undefined;
  /** Numbers that were written, over all looks. */
  writes = 0;
  last: Balance | undefined;
  /** Told before every look's writes are carried out. */
  onStep: (balance: Balance) => void = () => {};
  readonly spokes = new Map<string, Spoke>();
  #seen = '';

  constructor(spec: ElasticSpec, names: readonly string[]) {
    this.spec = spec;
    for (const name of names) this.join(name);
  }

  join(name: string, weight = 1): void {
    const spoke = {
      selected: true,
      available: true,
      capacity: 100,
      weight,
      ready: 0,
      writtenAt: this.now,
      putBacks: undefined,
    };
    this.spokes.set(name, { ...spoke, written: undefined, replicas: undefined });
  }

  of(name: string): Spoke {
    const spoke = this.spokes.get(name);
    if (spoke === undefined) throw new Error(`there is no spoke ${name}`);
    return spoke;
  }

  /** Every manifest was applied, whatever was made of its number since. */
  agentsHaveSeen(): void {
    for (const spoke of this.spokes.values()) edited.delete(spoke);
  }

  /** A person scales it on the spoke. */
  scale(name: string, replicas: number): void {
    this.of(name).replicas = replicas;
  }

  look(): Balance {
    const views = [...this.spokes].flatMap(([cluster, spoke]) => this.#viewOf(cluster, spoke));
    const weights = new Map(views.map(({ cluster }) => [cluster, this.of(cluster).weight]));
    const { spec, memory, now } = this;
    const balance = balanceReplicas({ uid: 'uid', spec, views, weights, memory, now });
    this.last = balance;
    this.memory = balance.memory;
    this.onStep(balance);
    for (const [cluster, next] of balance.next) this.#write(cluster, next, balance.putBack.has(cluster));
    return balance;
  }

  /** Whatever the spokes can do in a second is done; then there is a look, where something changed or time alone asks for one. */
  pass(seconds: number): void {
    const end = this.now + seconds * 1000;
    while (this.now < end) {
      this.now += 1000;
      for (const spoke of this.spokes.values()) if (spoke.available) work(spoke);
      const seen = JSON.stringify([this.spec, this.memory === undefined, ...this.spokes.values()]);
      if (seen !== this.#seen || this.now >= (this.last?.lookAt ?? 0)) this.look();
      else this.#skipTo(Math.min(end, this.last?.lookAt ?? end));
      this.#seen = seen;
    }
  }

  /** Where a second changed nothing, none will: to the last one before `time`. */
  #skipTo(time: number): void {
    const idle = Math.ceil((time - this.now) / 1000) - 1;
    this.now += Math.max(0, idle) * 1000;
  }

  /** "a 4/4" for what is written and ready, by name. */
  shown(): string[] {
    return [...this.spokes]
      .filter(([, { written }]) => written !== undefined)
      .map(([name, { written, ready }]) => `${name} ${ready}/${written}`)
      .sort();
  }

  ready(): number {
    return [...this.spokes.values()].reduce((sum, { ready, available }) => sum + (available ? ready : 0), 0);
  }

  /** What stands on the spokes, whatever was written. */
  there(): number {
    return [...this.spokes.values()].reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  }

  #viewOf(cluster: string, spoke: Spoke): View[] {
    const { selected, available, written, writtenAt, putBacks, replicas, ready } = spoke;
    if (!selected && written === undefined) return [];
    const isThere = written !== undefined;
    return [
      {
        cluster,
        selected,
        reachable: available,
        deleting: false,
        upToDate: isThere,
        ready: available && isThere ? ready : 0,
        ...(isThere && { written, writtenAt }),
        ...(putBacks !== undefined && { putBacks }),
        ...(isThere && replicas !== undefined && { onSpoke: replicas }),
      },
    ];
  }

  #write(cluster: string, next: number, isPutBack: boolean): void {
    const spoke = this.of(cluster);
    if (!spoke.selected && next === 0) {
      this.writes += 1;
      spoke.written = undefined;
      return;
    }
    if (spoke.written === next && !isPutBack) return;
    spoke.putBacks = isPutBack ? (spoke.putBacks ?? 0) + 1 : undefined;
    this.writes += 1;
    spoke.written = next;
    spoke.writtenAt = this.now;
    edited.add(spoke);
  }
}

/** Whose manifest was edited since the agent looked last: then the number on the spoke becomes the manifest's. */
const edited = new WeakSet<Spoke>();

function work(spoke: Spoke): void {
  if (spoke.written === undefined) spoke.replicas = undefined;
  else if (edited.has(spoke)) spoke.replicas = spoke.written;
  edited.delete(spoke);
  const goal = Math.min(spoke.replicas ?? 0, spoke.capacity);
  spoke.ready = Math.min(spoke.ready + 1, goal);
}

/** How much a cluster may have is no matter. */
export const roomy = { type: 'LimitRange', limitRange: { min: 0, max: 100 } };

export const none = { type: 'None' };

/** Twelve replicas on three clusters, all of them ready. */
export function settled(balance: object = roomy): Spokes {
  const fleet = new Spokes(specOf({ total: 12, balance }), ['a', 'b', 'c']);
  fleet.look();
  fleet.pass(30);
  return fleet;
}
