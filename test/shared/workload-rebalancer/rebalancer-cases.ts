/** Writes of a WorkloadRebalancer and what a hub is to answer: one table for the rules, the policy and the webhook. */

export interface Write {
  readonly description: string;
  readonly spec: object;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What stood there before; absent for a create. */
  readonly before?: object;
  /** The message for the user; absent if the write is accepted. */
  readonly rejection?: string;
  /** True if the schema of the CRD already rejects it, so that admission does not run. */
  readonly rejectedBySchema?: true;
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
const empty = (field: string, count: string, remedy: string) =>
  `spec.workloads: ${count} have an empty ${field}; ${remedy}`;
const noName = (count: string) =>
  empty('name', count, 'name the object that is to be rescheduled, or take the entry out');

/** 174 + 2 × 43 = 260 bytes a workload, and a limit of 1,540,096 bytes: 5,923 fit and not one more. */
const FIT = 5923;

export const writes: readonly Write[] = [
  { description: 'one workload', spec: { workloads: [web] } },
  {
    description: 'a cluster-scoped workload',
    spec: { workloads: [{ apiVersion: 'v1', kind: 'Namespace', name: 'shop' }] },
  },
  { description: 'the same workload twice', spec: { workloads: [web, web] } },
  { description: 'a ttl of 0', spec: { workloads: [web], ttlSecondsAfterFinished: 0 } },
  { description: 'a ttl of a day', spec: { workloads: [web], ttlSecondsAfterFinished: 86_400 } },
  {
    description: 'an annotation with a name of meaning',
    spec: { workloads: [web] },
    annotations: { constructor: 'x' },
  },
  { description: 'as many workloads as fit', spec: { workloads: workloads(FIT) } },
  {
    description: 'an empty list',
    spec: { workloads: [] },
    rejection: 'spec.workloads is empty; name at least one workload by apiVersion, kind, namespace and name',
    rejectedBySchema: true,
  },
  { description: 'a workload with no name', spec: { workloads: [web, nameless] }, rejection: noName('1 of 2') },
  {
    description: 'a workload with no apiVersion',
    spec: { workloads: [{ ...web, apiVersion: '' }] },
    rejection: empty('apiVersion', '1 of 1', 'write the one of the object, for example apps/v1'),
  },
  {
    description: 'workloads with no kind',
    spec: { workloads: [{ ...web, kind: '' }, web, { ...web, kind: '' }] },
    rejection: empty('kind', '2 of 3', 'write the one of the object, for example Deployment'),
  },
  {
    description: 'a negative ttl',
    spec: { workloads: [web], ttlSecondsAfterFinished: -1 },
    rejection: ttl(-1),
  },
  {
    description: 'two faults: the first is reported',
    spec: { workloads: [nameless], ttlSecondsAfterFinished: -1 },
    rejection: noName('1 of 1'),
  },
  {
    description: 'one workload more than fits',
    spec: { workloads: workloads(FIT + 1) },
    rejection:
      'spec.workloads: 5924 workloads take about 1540240 bytes in spec and status, and an object holds at most 1540096; split it into rebalancers of at most 5330 workloads',
  },
  {
    description: 'what fits by itself, but not with its annotations',
    spec: { workloads: workloads(5300) },
    annotations: { note: 'x'.repeat(200_000) },
    rejection:
      'spec.workloads: 5300 workloads take about 1644666 bytes in spec and status, and an object holds at most 1540096; split it into rebalancers of at most 4466 workloads',
  },
  {
    description: 'too many workloads to count the characters of their names',
    spec: { workloads: workloads(12_000) },
    rejection:
      'spec.workloads: 12000 workloads take about 3600000 bytes in spec and status, and an object holds at most 1540096; split it into rebalancers of at most 4619 workloads',
  },
  {
    description: 'the most characters that a request holds, which is the most that a policy evaluates',
    spec: { workloads: Array.from({ length: 8500 }, () => workload('x'.repeat(260))) },
    rejection:
      'spec.workloads: 8500 workloads take about 6256000 bytes in spec and status, and an object holds at most 1540096; split it into rebalancers of at most 1882 workloads',
  },
  {
    description: 'names with characters of more than one byte',
    spec: { workloads: Array.from({ length: 2000 }, () => workload('é'.repeat(150))) },
    rejection:
      'spec.workloads: 2000 workloads take about 1632000 bytes in spec and status, and an object holds at most 1540096; split it into rebalancers of at most 1698 workloads',
  },
  {
    description: 'an update that makes the ttl negative',
    before: { workloads: [web] },
    spec: { workloads: [web], ttlSecondsAfterFinished: -60 },
    rejection: ttl(-60),
  },
  {
    description: 'an update that adds a workload with no name',
    before: { workloads: [web] },
    spec: { workloads: [web, nameless] },
    rejection: noName('1 of 2'),
  },
  {
    description: 'an update of the ttl beside workloads that were invalid before',
    before: { workloads: [nameless] },
    spec: { workloads: [nameless], ttlSecondsAfterFinished: 5 },
  },
  {
    description: 'an update of the workloads beside a ttl that was negative before',
    before: { workloads: [web], ttlSecondsAfterFinished: -1 },
    spec: { workloads: [web, workload('api')], ttlSecondsAfterFinished: -1 },
  },
  {
    description: 'an update that leaves an invalid spec as it was',
    before: { workloads: [nameless], ttlSecondsAfterFinished: -1 },
    spec: { workloads: [nameless], ttlSecondsAfterFinished: -1 },
    annotations: { note: 'seen' },
  },
  {
    description: 'an update that mends what was invalid',
    before: { workloads: [nameless], ttlSecondsAfterFinished: -1 },
    spec: { workloads: [web], ttlSecondsAfterFinished: 1 },
  },
];
