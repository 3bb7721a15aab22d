/** Prints the plan of ElasticWorkloads as text, and as a document for programs; docs/plan.md documents its shape. */
import { count } from '../../shared/core/count.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { Colours } from '../terminal.ts';
import type { ElasticPlan, ReplicasByCluster } from './plan-elastic.ts';
import { changes, list } from './print-plan.ts';

export function elasticDocument(plans: readonly ElasticPlan[]): object {
  return {
    elasticWorkloads: plans.map(({ elastic: { group, key }, current, desired, steps, conditions }) => ({
      namespace: key.namespace,
      name: key.name,
      group,
      current,
      desired,
      steps,
      conditions,
    })),
  };
}

export function printElastic(plans: readonly ElasticPlan[], colours: Colours): string {
  if (plans.length === 0) return 'There is no ElasticWorkload to plan.';
  return [...plans.map((plan) => blockOf(plan, colours).join('\n')), summary(plans)].join('\n\n');
}

function blockOf({ elastic, current, desired, steps, conditions }: ElasticPlan, colours: Colours): readonly string[] {
  const { type, totalReplicas } = elastic.spec.distributionStrategy;
  const what = `${type}, ${count(totalReplicas, 'replica')}`;
  const odd = conditions.filter(({ type: kind, status }) => PRINTED_STATUS[kind] === status);
  const isRejected = odd.some(({ type: kind }) => kind === 'Accepted');
  return [
    colours.bold(`ElasticWorkload ${keyText(elastic.key)}: ${what}`),
    ...(isRejected ? [] : [`  ${changes(mapOf(current), mapOf(desired))}`]),
    ...steps.map(({ write, then }, i) => `  ${i + 1}. write ${numbers(write)}; wait until ${WAITS[then]}`),
    ...odd.map(({ type: kind, reason, message }) =>
      colours.yellow(`  ${kind === 'Accepted' ? 'Not accepted' : kind}: ${reason}: ${message}`),
    ),
  ];
}

/** Conditions that are printed, each with the status in which it is. */
const PRINTED_STATUS: Readonly<Record<string, string>> = {
  Accepted: 'False',
  Overcommitted: 'True',
  Unplaced: 'True',
  InvalidWeights: 'True',
  NoClusters: 'True',
};

const WAITS = { ready: 'they are ready', gone: 'the rest is gone' } as const;

function numbers(write: ReplicasByCluster): string {
  return list(Object.entries(write).map(([cluster, replicas]) => `${cluster} ${replicas}`));
}

function mapOf(given: ReplicasByCluster): ReadonlyMap<string, number> {
  return new Map(Object.entries(given));
}

function summary(plans: readonly ElasticPlan[]): string {
  const moving = plans.filter(({ steps }) => steps.length > 0);
  const writes = moving.flatMap(({ steps }) => steps).reduce((sum, { write }) => sum + Object.keys(write).length, 0);
  if (moving.length === 0) return `Nothing would be written for ${count(plans.length, 'ElasticWorkload')}.`;
  const of = `${moving.length} of ${count(plans.length, 'ElasticWorkload')}`;
  return `${count(writes, 'ManifestWork')} would be written or deleted, for ${of}.`;
}
