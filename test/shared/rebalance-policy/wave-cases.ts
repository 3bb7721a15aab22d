/** Who writes what on a WorkloadRebalancer that is, was or becomes a wave of a policy: one table for the rules, the policy and the webhook. */
import { POLICY_LABEL } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';

export const OURS = 'system:serviceaccount:evenkeel:evenkeel';
export const OTHER_USER = 'alice@example.org';

interface State {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly spec: object;
}

export interface WaveWrite {
  readonly description: string;
  readonly by: string;
  /** Absent for a create. */
  readonly before?: State;
  readonly after: State;
  /** The message for the user; absent if the write is accepted. */
  readonly rejection?: string;
}

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const spec = { workloads: [web] };
const edited = { workloads: [web, { ...web, name: 'api' }] };
const ofPolicy = (name: string) => ({ [POLICY_LABEL]: name });
const wave: State = { labels: ofPolicy('come-home'), spec };
const plain: State = { labels: { team: 'shop' }, spec };

const remedy = 'edit the policy, or create a rebalancer of your own without the label evenkeel.dev/rebalance-policy';
const label = (policy: string, who = OTHER_USER) =>
  `metadata.labels: ${who} may not set, change or remove evenkeel.dev/rebalance-policy, which makes this a wave of RebalancePolicy ${policy}; ${remedy}`;
const editing = `spec: ${OTHER_USER} may not edit a wave of RebalancePolicy come-home; ${remedy}`;

export const waveWrites: readonly WaveWrite[] = [
  { description: 'we make a wave', by: OURS, after: wave },
  { description: 'we edit a wave', by: OURS, before: wave, after: { ...wave, spec: edited } },
  { description: 'we take the label away', by: OURS, before: wave, after: plain },
  { description: 'another user creates an own rebalancer', by: OTHER_USER, after: plain },
  { description: 'another user creates a rebalancer without labels', by: OTHER_USER, after: { spec } },
  { description: 'another user creates a wave', by: OTHER_USER, after: wave, rejection: label('come-home') },
  {
    description: 'another user creates a wave of a policy without a name',
    by: OTHER_USER,
    after: { labels: ofPolicy(''), spec },
    rejection: label(''),
  },
  {
    description: 'an account of our name in another namespace makes a wave',
    by: 'system:serviceaccount:shop:evenkeel',
    after: wave,
    rejection: label('come-home', 'system:serviceaccount:shop:evenkeel'),
  },
  {
    description: 'another user edits the spec of a wave',
    by: OTHER_USER,
    before: wave,
    after: { ...wave, spec: edited },
    rejection: editing,
  },
  {
    description: 'another user edits the ttl of a wave',
    by: OTHER_USER,
    before: wave,
    after: { ...wave, spec: { ...spec, ttlSecondsAfterFinished: 60 } },
    rejection: editing,
  },
  {
    description: 'another user removes the label of a wave',
    by: OTHER_USER,
    before: wave,
    after: plain,
    rejection: label('come-home'),
  },
  {
    description: 'another user removes all labels of a wave',
    by: OTHER_USER,
    before: wave,
    after: { spec },
    rejection: label('come-home'),
  },
  {
    description: 'another user sets the label of a wave to another policy',
    by: OTHER_USER,
    before: wave,
    after: { ...wave, labels: ofPolicy('other') },
    rejection: label('other'),
  },
  {
    description: 'another user turns an own rebalancer into a wave',
    by: OTHER_USER,
    before: plain,
    after: wave,
    rejection: label('come-home'),
  },
  {
    description: 'another user removes the label of a wave and edits it: the label is reported',
    by: OTHER_USER,
    before: wave,
    after: { ...plain, spec: edited },
    rejection: label('come-home'),
  },
  {
    description: 'another user adds a label and an annotation to a wave',
    by: OTHER_USER,
    before: wave,
    after: { labels: { ...ofPolicy('come-home'), team: 'shop' }, annotations: { note: 'seen' }, spec },
  },
  {
    description: 'another user removes a finalizer of a wave',
    by: OTHER_USER,
    before: { ...wave, finalizers: ['example.org/kept'] },
    after: wave,
  },
  {
    description: 'another user edits an own rebalancer',
    by: OTHER_USER,
    before: plain,
    after: { ...plain, spec: edited },
  },
];
