/** Writes of a WorkloadRebalancer and what a hub is to answer: one table for the rules, the policy and the webhook. */

export interface Write {
  readonly says: string;
  readonly spec: object;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What stood there before; absent for a create. */
  readonly before?: object;
  /** What the person reads; absent where it goes through. */
  readonly refusal?: string;
  /** Where the CRD's own schema refuses it already, so that no admission is asked. */
  readonly refusedBySchema?: true;
}

function workload(name: string, namespace = 'shop') {
  return { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name };
}

/** `count` workloads of 43 characters each in their four texts. */
export function workloads(count: number): readonly object[] {
  return Array.from({ length: count }, (_, i) => workload(`deployment-${String(i).padStart(11, '0')}`));
}

const web = workload('web');
const nameless = workload('');

const ttl = (value: number) =>
  `spec.ttlSecondsAfterFinished is ${value}; write the seconds to keep a finished rebalancer for, 0 to delete it at once, or leave it out to keep it`;
const empty = (field: string, count: string, wayOut: string) =>
  `spec.workloads: ${count} have an empty ${field}; ${wayOut}`;
const noName = (count: string) =>
  empty('name', count, 'name the object that is to be rescheduled, or take the entry out');

/** 174 + 2 × 43 = 260 bytes a workload, and 1,540,096 bytes of room: 5,923 fit and not one more. */
const FIT = 5923;

export const writes: readonly Write[] = [
  { says: 'one workload', spec: { workloads: [web] } },
  { says: 'a cluster-scoped workload', spec: { workloads: [{ apiVersion: 'v1', kind: 'Namespace', name: 'shop' }] } },
  { says: 'the same workload twice', spec: { workloads: [web, web] } },
  { says: 'a ttl of 0', spec: { workloads: [web], ttlSecondsAfterFinished: 0 } },
  { says: 'a ttl of a day', spec: { workloads: [web], ttlSecondsAfterFinished: 86_400 } },
  { says: 'an annotation with a name of meaning', spec: { workloads: [web] }, annotations: { constructor: 'x' } },
  { says: 'as many workloads as fit', spec: { workloads: workloads(FIT) } },
  {
    says: 'an empty list',
    spec: { workloads: [] },
    refusal: 'spec.workloads is empty; name at least one workload by apiVersion, kind, namespace and name',
    refusedBySchema: true,
  },
  { says: 'a workload with no name', spec: { workloads: [web, nameless] }, refusal: noName('1 of 2') },
  {
    says: 'a workload with no apiVersion',
    spec: { workloads: [{ ...web, apiVersion: '' }] },
    refusal: empty('apiVersion', '1 of 1', 'write the one of the object, for example apps/v1'),
  },
  {
    says: 'workloads with no kind',
    spec: { workloads: [{ ...web, kind: '' }, web, { ...web, kind: '' }] },
    refusal: empty('kind', '2 of 3', 'write the one of the object, for example Deployment'),
  },
  {
    says: 'a negative ttl',
    spec: { workloads: [web], ttlSecondsAfterFinished: -1 },
    refusal: ttl(-1),
  },
  {
    says: 'two faults: the first is told',
    spec: { workloads: [nameless], ttlSecondsAfterFinished: -1 },
    refusal: noName('1 of 1'),
  },
  {
    says: 'one workload more than fits',
    spec: { workloads: workloads(FIT + 1) },
    refusal:
      'spec.workloads: 5924 workloads take about 1540240 bytes in spec and status, and an object has room for 1540096; split it into rebalancers of at most 5330 workloads',
  },
  {
    says: 'what fits by itself, but not with its annotations',
    spec: { workloads: workloads(5300) },
    annotations: { note: 'x'.repeat(200_000) },
    refusal:
      'spec.workloads: 5300 workloads take about 1644666 bytes in spec and status, and an object has room for 1540096; split it into rebalancers of at most 4466 workloads',
  },
  {
    says: 'so many workloads that nobody counts their letters',
    spec: { workloads: workloads(12_000) },
    refusal:
      'spec.workloads: 12000 workloads take about 3600000 bytes in spec and status, and an object has room for 1540096; split it into rebalancers of at most 4619 workloads',
  },
  {
    says: 'the most letters that a request holds, which is the most that a policy has to go through',
    spec: { workloads: Array.from({ length: 8500 }, () => workload('x'.repeat(260))) },
    refusal:
      'spec.workloads: 8500 workloads take about 6256000 bytes in spec and status, and an object has room for 1540096; split it into rebalancers of at most 1882 workloads',
  },
  {
    says: 'names whose letters take more than a byte',
    spec: { workloads: Array.from({ length: 2000 }, () => workload('é'.repeat(150))) },
    refusal:
      'spec.workloads: 2000 workloads take about 1632000 bytes in spec and status, and an object has room for 1540096; split it into rebalancers of at most 1698 workloads',
  },
  {
    says: 'an update that makes the ttl negative',
    before: { workloads: [web] },
    spec: { workloads: [web], ttlSecondsAfterFinished: -60 },
    refusal: ttl(-60),
  },
  {
    says: 'an update that adds a workload with no name',
    before: { workloads: [web] },
    spec: { workloads: [web, nameless] },
    refusal: noName('1 of 2'),
  },
  {
    says: 'an update of the ttl beside workloads that were invalid before',
    before: { workloads: [nameless] },
    spec: { workloads: [nameless], ttlSecondsAfterFinished: 5 },
  },
  {
    says: 'an update of the workloads beside a ttl that was negative before',
    before: { workloads: [web], ttlSecondsAfterFinished: -1 },
    spec: { workloads: [web, workload('api')], ttlSecondsAfterFinished: -1 },
  },
  {
    says: 'an update that leaves an invalid spec as it was',
    before: { workloads: [nameless], ttlSecondsAfterFinished: -1 },
    spec: { workloads: [nameless], ttlSecondsAfterFinished: -1 },
    annotations: { note: 'seen' },
  },
  {
    says: 'an update that mends what was invalid',
    before: { workloads: [nameless], ttlSecondsAfterFinished: -1 },
    spec: { workloads: [web], ttlSecondsAfterFinished: 1 },
  },
];
