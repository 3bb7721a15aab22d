/** The kind of plan for ElasticWorkloads: what each cluster would get, and in which steps. docs/guides/plan.md documents its document. */
import { count } from '../../shared/core/count.ts';
import { invalidOption } from '../../shared/core/fault.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { Colours } from '../terminal.ts';
import { type ElasticInput, elasticInputOf } from './elastic-input.ts';
import { type ElasticPlan, planElastic, type ReplicasByCluster } from './plan-elastic.ts';
import { type PlanKind, usesHub } from './plan-kind.ts';
import { changesBetween, list } from './print-plan.ts';

export const elasticPlans: PlanKind<ElasticInput> = {
  withoutNames: 'ElasticWorkloads',
  fromFiles: (documents, options) => {
    if (usesHub(options))
      throw invalidOption(
        'ElasticWorkloads are planned from files alone; leave out --kubeconfig and --context, and give their PlacementDecisions and ManifestWorks with -f',
      );
    return elasticInputOf(documents, options.namespace);
  },
  plan: (input, names, { namespace }) => {
    const plans = chosen(planElastic(input, Date.now()), names, namespace);
    return {
      table: (colours) => printElastic(plans, colours),
      document: () => elasticDocument(plans),
      notes: input.notes,
      unread: plans.flatMap(({ elastic, lacks }) =>
        lacks === undefined ? [] : [`ElasticWorkload ${keyText(elastic.key)}: ${lacks}`],
      ),
      moves: plans.some(({ steps }) => steps.length > 0),
    };
  },
};

/** Plans all, because two may have one target; shows only the requested ones. */
function chosen(
  plans: readonly ElasticPlan[],
  names: readonly string[],
  namespace: string | undefined,
): readonly ElasticPlan[] {
  const there = plans.filter(({ elastic }) => namespace === undefined || elastic.key.namespace === namespace);
  const unknown = names.find((name) => !there.some(({ elastic }) => elastic.key.name === name));
  if (unknown !== undefined) {
    const known = there.map(({ elastic }) => elastic.key.name).join(', ') || 'none';
    throw invalidOption(`${unknown}: the files have no ElasticWorkload of that name (they have: ${known})`);
  }
  return names.length === 0 ? there : there.filter(({ elastic }) => names.includes(elastic.key.name));
}

function elasticDocument(plans: readonly ElasticPlan[]): object {
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

function printElastic(plans: readonly ElasticPlan[], colours: Colours): string {
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
    ...(isRejected ? [] : [`  ${changesBetween(current, desired)}`]),
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
  ScoresMissing: 'True',
};

const WAITS = { ready: 'they are ready', gone: 'the rest is gone' } as const;

function numbers(write: ReplicasByCluster): string {
  return list(Object.entries(write).map(([cluster, replicas]) => `${cluster} ${replicas}`));
}

function summary(plans: readonly ElasticPlan[]): string {
  const moving = plans.filter(({ steps }) => steps.length > 0);
  const writes = moving.flatMap(({ steps }) => steps).reduce((sum, { write }) => sum + Object.keys(write).length, 0);
  if (moving.length === 0) return `Nothing would be written for ${count(plans.length, 'ElasticWorkload')}.`;
  const of = `${moving.length} of ${count(plans.length, 'ElasticWorkload')}`;
  return `${count(writes, 'ManifestWork')} would be written or deleted, for ${of}.`;
}
