/** The final state that seed 002 promises: every selected cluster runs its share, other clusters run nothing, and the status is current. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import type { System } from '../../system/system.ts';
import type { Violations } from '../../violations.ts';
import type { ElasticLife } from './elastic-life.ts';
import { NAMESPACE, type WorkloadName, workloadNames, workloads } from './parts.ts';
import { numberIn } from './read-objects.ts';
import { type Party, type Spec, specOf, sumOf, unfairness } from './shares.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

interface ClusterStatus {
  readonly name: string;
  readonly share: number;
  readonly replicas: number;
  readonly observedReplicas?: number;
  readonly readyReplicas?: number;
}

interface Status {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  readonly desiredReplicas?: number;
  readonly numberOfClusters?: number;
  readonly clusters?: readonly ClusterStatus[];
  readonly manifestWorks?: readonly { readonly namespace: string }[];
  readonly conditions?: readonly Condition[];
}

interface Accepted {
  readonly name: WorkloadName;
  readonly elastic: KubeObject;
  readonly spec: Spec;
  readonly parties: readonly Party[];
  /** The replicas in the ManifestWork of each cluster. */
  readonly written: ReadonlyMap<string, number>;
  readonly detail: string;
}

export class ElasticAtRest {
  readonly #system: System;
  readonly #life: ElasticLife;
  readonly #violations: Violations;

  constructor(system: System, life: ElasticLife, violations: Violations) {
    this.#system = system;
    this.#life = life;
    this.#violations = violations;
  }

  check(): void {
    for (const name of workloadNames) {
      const elastic = this.#life.elastic(name);
      if (elastic === undefined) this.#gone(name);
      else if (elastic.metadata.deletionTimestamp !== undefined)
        this.#violations.add('a deleted ElasticWorkload is gone in the end', JSON.stringify(elastic.metadata));
      else this.#there(name, elastic);
    }
  }

  #gone(name: WorkloadName): void {
    const left = [...this.#written(name)];
    if (left.length > 0)
      this.#violations.add(
        'a deleted ElasticWorkload leaves no ManifestWorks',
        `${name} is gone; its ManifestWorks: ${left.join(' ')}`,
      );
  }

  #there(name: WorkloadName, elastic: KubeObject): void {
    const { conditions = [], observedGeneration } = statusOf(elastic);
    const accepted = conditions.find(({ type }) => type === 'Accepted');
    const rejections = this.#rejections(name, elastic);
    const detail = `${name} of generation ${elastic.metadata.generation}: ${JSON.stringify(elastic.status)}`;
    if (observedGeneration !== elastic.metadata.generation)
      this.#violations.add('every generation is observed in the end', detail);
    if (rejections.length > 0) {
      if (accepted?.status !== 'False' || !rejections.includes(accepted.reason))
        this.#violations.add(
          'a rejected ElasticWorkload has the reason in its status',
          `${detail}; it should be ${rejections.join(' or ')}`,
        );
      return;
    }
    const spec = specOf(elastic);
    const taken = this.#life.taken(name);
    // ManifestWorks on clusters that an earlier ElasticWorkload took over later stay, and are not counted.
    const written = new Map([...this.#written(name)].filter(([cluster]) => !taken.has(cluster)));
    const free = [...this.#life.selected(spec.placement)].filter((cluster) => !taken.has(cluster));
    const parties = free.map((cluster) => ({
      cluster,
      weight: spec.weightOf(cluster, this.#labels(cluster)),
    }));
    const seen = { name, elastic, spec, parties, written, detail: `${detail}; written ${[...written].join(' ')}` };
    this.#numbers(seen);
    this.#conditions(seen);
    this.#status(seen);
  }

  /** The possible reasons for rejection, by the objects on the hub. */
  #rejections(name: WorkloadName, elastic: KubeObject): readonly string[] {
    const { placement } = specOf(elastic);
    const isPlaced = this.#system.hub.store.get('placements', { namespace: NAMESPACE, name: placement }) !== undefined;
    const isImported = this.#system.hub.store.get('deployments', { namespace: NAMESPACE, name: 'api' }) !== undefined;
    const { runs } = workloads[name];
    const selected = [...this.#life.selected(placement)];
    const taken = this.#life.taken(name);
    return [
      ...(selected.length > 0 && selected.every((cluster) => taken.has(cluster)) ? ['TargetTaken'] : []),
      ...(isPlaced ? [] : ['PlacementNotFound']),
      ...(runs === 'api' && !isImported ? ['ImportNotFound'] : []),
    ];
  }

  #labels(cluster: string): Readonly<Record<string, string>> {
    return this.#system.hub.store.get('managedclusters', { namespace: '', name: cluster })?.metadata.labels ?? {};
  }

  #written(name: WorkloadName): ReadonlyMap<string, number> {
    const works = this.#system.hub.store
      .list('manifestworks')
      .filter(({ metadata }) => metadata.name === workloads[name].works);
    return new Map(works.map((work) => [work.metadata.namespace ?? '', numberIn(work)]));
  }

  #numbers({ name, spec, parties, written, detail }: Accepted): void {
    const selected = new Set(parties.map(({ cluster }) => cluster));
    for (const cluster of written.keys())
      if (!selected.has(cluster)) this.#violations.add('a deselected cluster has no ManifestWork in the end', detail);
    for (const [cluster, number] of written) {
      const { replicas, ready } = this.#life.there(name, cluster);
      if (replicas !== number || ready !== number)
        this.#violations.add(
          'the replicas of every ManifestWork are ready in the end',
          `${cluster} has ${ready}/${replicas}; ${detail}`,
        );
    }
    const byHand = this.#scaledByHand(name);
    if (byHand.size === 0) {
      const unfair = unfairness(spec, parties, written);
      if (unfair !== undefined) this.#violations.add('every cluster has its share in the end', `${unfair}; ${detail}`);
      return;
    }
    this.#aroundScaled({ spec, parties, written, detail }, byHand);
  }

  /** The clusters with manual scaling that is still in effect; none if users changed the spec after the last fault. */
  #scaledByHand(name: WorkloadName): ReadonlySet<string> {
    if (this.#life.specChanged) return new Set();
    const { runs } = workloads[name];
    return new Set(this.#life.scalings.filter((one) => one.runs === runs).map(({ managedCluster }) => managedCluster));
  }

  /** With limits, the other clusters compensate for manual scaling on a managed cluster. */
  #aroundScaled(
    { spec, parties, written, detail }: Omit<Accepted, 'name' | 'elastic'>,
    byHand: ReadonlySet<string>,
  ): void {
    const others = parties.filter(({ cluster }) => !byHand.has(cluster));
    const number = (cluster: string) => written.get(cluster) ?? 0;
    const sum = parties.reduce((total, { cluster }) => total + number(cluster), 0);
    if (parties.some(({ cluster }) => number(cluster) > spec.limits.ceiling))
      this.#violations.add('no cluster exceeds its limit in the end', detail);
    if (!spec.limits.borrows || others.length === 0) return;
    const left = sumOf({ ...spec, total: spec.total - (sum - sumIn(others, number)) }, others);
    if (sumIn(others, number) !== left)
      this.#violations.add(
        'the other clusters compensate for replicas scaled on a cluster',
        `${detail}; ${[...byHand].join()}`,
      );
  }

  #conditions({ name, elastic, spec, parties, written, detail }: Accepted): void {
    const { conditions = [] } = statusOf(elastic);
    const floors = spec.limits.floor * parties.length;
    const sum = parties.reduce((total, { cluster }) => total + (written.get(cluster) ?? 0), 0);
    const wanted = {
      Accepted: true,
      Progressing: false,
      Overcommitted: floors > spec.total,
      NoClusters: parties.length === 0,
      InvalidWeights: parties.length > 0 && parties.every(({ weight }) => weight === 0),
      ...(this.#scaledByHand(name).size === 0 && {
        Balanced: sum >= spec.total,
        Unplaced: parties.length > 0 && sum < spec.total,
      }),
    };
    for (const [type, isTrue] of Object.entries(wanted)) {
      const status = conditions.find((condition) => condition.type === type)?.status;
      if (status !== (isTrue ? 'True' : 'False'))
        this.#violations.add('the conditions are correct in the end', `${type} should be ${isTrue}; ${detail}`);
    }
  }

  #status({ name, elastic, parties, written, detail }: Accepted): void {
    const { clusters = [], manifestWorks = [], ...sums } = statusOf(elastic);
    const expected = {
      replicas: clusters.reduce((sum, { observedReplicas = 0 }) => sum + observedReplicas, 0),
      readyReplicas: clusters.reduce((sum, { readyReplicas = 0 }) => sum + readyReplicas, 0),
      desiredReplicas: clusters.reduce((sum, { replicas }) => sum + replicas, 0),
      numberOfClusters: parties.length,
    };
    for (const [field, value] of Object.entries(expected))
      if (sums[field as keyof typeof expected] !== value)
        this.#violations.add(
          'the totals of the status are correct in the end',
          `${field} should be ${value}; ${detail}`,
        );
    const shown = (texts: readonly string[]) => texts.toSorted().join();
    const isEach = clusters.every((one) => {
      const { replicas, ready } = this.#life.there(name, one.name);
      const isAsWritten = one.replicas === written.get(one.name);
      return isAsWritten && one.observedReplicas === replicas && (one.readyReplicas ?? 0) === ready;
    });
    const names = shown(clusters.map((one) => one.name));
    const works = shown(manifestWorks.map(({ namespace }) => namespace));
    if (!isEach || names !== shown(parties.map(({ cluster }) => cluster)) || works !== shown([...written.keys()]))
      this.#violations.add('the status is current in the end', detail);
  }
}

function sumIn(parties: readonly Party[], number: (cluster: string) => number): number {
  return parties.reduce((total, { cluster }) => total + number(cluster), 0);
}

function statusOf({ status }: KubeObject): Status {
  return status ?? {};
}
