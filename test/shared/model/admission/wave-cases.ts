/** Who writes what on a WorkloadRebalancer that is, was or becomes a wave of a policy: one table for the rules, the policy and the webhook. */
import { POLICY_LABEL } from '../../../../shared/model/workload-rebalancer.ts';

export const OURS = 'system:serviceaccount:evenkeel:evenkeel';
export const SOMEBODY = 'alice@example.org';

interface State {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly spec: object;
}

export interface WaveWrite {
  readonly says: string;
  readonly by: string;
  /** Absent for a create. */
  readonly before?: State;
  readonly after: State;
  /** What the person reads; absent where it goes through. */
  readonly refusal?: string;
}

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const spec = { workloads: [web] };
const edited = { workloads: [web, { ...web, name: 'api' }] };
const ofPolicy = (name: string) => ({ [POLICY_LABEL]: name });
const wave: State = { labels: ofPolicy('come-home'), spec };
const plain: State = { labels: { team: 'shop' }, spec };

const wayOut = 'edit the policy, or create a rebalancer of your own without the label evenkeel.dev/rebalance-policy';
const label = (policy: string, who = SOMEBODY) =>
  `metadata.labels: ${who} may not set, change or remove evenkeel.dev/rebalance-policy, which makes this a wave of RebalancePolicy ${policy}; ${wayOut}`;
const editing = `spec: ${SOMEBODY} may not edit a wave of RebalancePolicy come-home; ${wayOut}`;

export const waveWrites: readonly WaveWrite[] = [
  { says: 'we make a wave', by: OURS, after: wave },
  { says: 'we edit a wave', by: OURS, before: wave, after: { ...wave, spec: edited } },
  { says: 'we take the label away', by: OURS, before: wave, after: plain },
  { says: 'somebody makes a rebalancer of his own', by: SOMEBODY, after: plain },
  { says: 'somebody makes one without any label', by: SOMEBODY, after: { spec } },
  { says: 'somebody makes a wave', by: SOMEBODY, after: wave, refusal: label('come-home') },
  {
    says: 'somebody makes a wave of a policy without a name',
    by: SOMEBODY,
    after: { labels: ofPolicy(''), spec },
    refusal: label(''),
  },
  {
    says: 'an account of our name in another namespace makes a wave',
    by: 'system:serviceaccount:shop:evenkeel',
    after: wave,
    refusal: label('come-home', 'system:serviceaccount:shop:evenkeel'),
  },
  {
    says: 'somebody edits the spec of a wave',
    by: SOMEBODY,
    before: wave,
    after: { ...wave, spec: edited },
    refusal: editing,
  },
  {
    says: 'somebody edits the ttl of a wave',
    by: SOMEBODY,
    before: wave,
    after: { ...wave, spec: { ...spec, ttlSecondsAfterFinished: 60 } },
    refusal: editing,
  },
  { says: 'somebody takes the label of a wave', by: SOMEBODY, before: wave, after: plain, refusal: label('come-home') },
  {
    says: 'somebody takes all labels of a wave',
    by: SOMEBODY,
    before: wave,
    after: { spec },
    refusal: label('come-home'),
  },
  {
    says: 'somebody gives a wave to another policy',
    by: SOMEBODY,
    before: wave,
    after: { ...wave, labels: ofPolicy('other') },
    refusal: label('other'),
  },
  {
    says: 'somebody makes a wave of his own rebalancer',
    by: SOMEBODY,
    before: plain,
    after: wave,
    refusal: label('come-home'),
  },
  {
    says: 'somebody takes the label of a wave and edits it: the label is told',
    by: SOMEBODY,
    before: wave,
    after: { ...plain, spec: edited },
    refusal: label('come-home'),
  },
  {
    says: 'somebody gives a wave another label and a note',
    by: SOMEBODY,
    before: wave,
    after: { labels: { ...ofPolicy('come-home'), team: 'shop' }, annotations: { note: 'seen' }, spec },
  },
  {
    says: 'somebody takes a finalizer of a wave',
    by: SOMEBODY,
    before: { ...wave, finalizers: ['example.org/kept'] },
    after: wave,
  },
  { says: 'somebody edits his own', by: SOMEBODY, before: plain, after: { ...plain, spec: edited } },
];
