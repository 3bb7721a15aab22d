/** Bugs to plant, each a change of one place of the real code: the simulator has to find every one, or what it does not find means nothing. */
import type { ScenarioName } from '../scenarios/scenarios.ts';

export interface PlantedBug {
  readonly name: string;
  /** In whose histories it can be seen. */
  readonly scenario: ScenarioName;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly replaces: string;
  readonly by: string;
  /** The promises of which at least one must be seen broken. */
  readonly breaks: readonly string[];
  /** The seed to begin with, where it takes a rare history. */
  readonly from?: number;
}

const rebalancer = (file: string) => `functions/workload-rebalancer/${file}`;
const elasticFunction = (file: string) => `functions/elastic-workload/${file}`;
const elasticModel = (file: string) => `shared/model/elastic-workload/${file}`;

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'a scheduling since the wish is taken for the one that was wished for',
    scenario: 'rebalancers',
    file: rebalancer('trigger-bindings.ts'),
    replaces: 'scheduled !== undefined && scheduled >= wantedSince',
    by: 'scheduled !== undefined && scheduled < 0',
    breaks: ['what was Successful was rescheduled after it was asked for'],
  },
  {
    name: 'an own trigger is not known again',
    scenario: 'rebalancers',
    file: rebalancer('trigger-bindings.ts'),
    replaces: 'binding.triggeredBy === triggeredBy',
    by: 'binding.triggeredBy === `${triggeredBy}?`',
    breaks: ['a binding is triggered as often as it was asked for'],
  },
  {
    name: 'a trigger is written over whatever is there',
    scenario: 'rebalancers',
    file: rebalancer('trigger-bindings.ts'),
    replaces: 'resourceVersion: seen.resourceVersion,\n',
    by: '',
    breaks: [
      'a trigger never goes back',
      'a binding is triggered as often as it was asked for',
      'what was Successful was rescheduled after it was asked for',
    ],
  },
  {
    name: 'a trigger that may never have been acted on counts',
    scenario: 'rebalancers',
    file: rebalancer('trigger-bindings.ts'),
    replaces: 'trigger > wantedSince && binding.isSigned',
    by: 'trigger > wantedSince',
    breaks: ['what was Successful was rescheduled after it was asked for'],
    from: 300,
  },
  {
    name: 'a trigger is written before its time',
    scenario: 'rebalancers',
    file: rebalancer('trigger-bindings.ts'),
    replaces: 'return ahead > 0 && ahead <= CLOCKS_APART ? ahead : 0;',
    by: 'return ahead > CLOCKS_APART ? 1 : 0;',
    breaks: ['no trigger is written before its time', 'no trigger waits for ever'],
  },
  {
    name: 'whatever fails is Failed for good',
    scenario: 'rebalancers',
    file: rebalancer('trigger-bindings.lambda.ts'),
    replaces: 'return { workload };\n      }),',
    by: 'return { workload: notFound(workload) };\n      }),',
    breaks: ['Failed is said only where there was no binding', 'every workload has its right result in the end'],
  },
  {
    name: 'what is added later is wanted since the creation',
    scenario: 'rebalancers',
    file: rebalancer('plan-rebalance.ts'),
    replaces: 'object.generation === 1 ? object.creationTimestamp : (object.changedAt ?? now)',
    by: 'object.creationTimestamp > now ? now : object.creationTimestamp',
    breaks: ['what was Successful was rescheduled after it was asked for'],
  },
  {
    name: 'what left the list is forgotten',
    scenario: 'rebalancers',
    file: rebalancer('plan-rebalance.ts'),
    replaces: "result === 'Successful' && !wantedKeys",
    by: "result === 'Failed' && !wantedKeys",
    breaks: ['what left the list after its success is kept', 'what left the list without success is gone'],
  },
  {
    name: 'an edit of the ttl moves the finish time',
    scenario: 'rebalancers',
    file: rebalancer('plan-rebalance.ts'),
    replaces: '(before === undefined ? object.status.finishTime : before.finishTime) ?? now',
    by: 'now',
    breaks: ['finishTime stays while the list stays'],
  },
  {
    name: 'a plan that was made is not said again',
    scenario: 'rebalancers',
    file: rebalancer('plan-rebalance.ts'),
    replaces: "return { step: 'Resume', events: chunksPlanned(task)",
    by: "return { step: 'Resume', events: []",
    breaks: ['every rebalancer is finished and observed in the end'],
  },
  {
    name: 'the delete names no version',
    scenario: 'rebalancers',
    file: 'shared/adapters/kubernetes/kubernetes-hub.ts',
    replaces: "kind: 'DeleteOptions', preconditions }",
    by: "kind: 'DeleteOptions', preconditions: { uid: preconditions.uid } }",
    breaks: [
      'nothing is deleted on an edit that is not observed',
      'nothing is deleted before its ttl',
      'without a ttl nothing is deleted',
    ],
    from: 450,
  },
  {
    name: 'an edit that is not observed does not defer the deletion',
    scenario: 'rebalancers',
    file: rebalancer('expire-rebalancer.ts'),
    replaces: 'if (observedGeneration !== object.generation)',
    by: 'if (observedGeneration > object.generation)',
    breaks: ['nothing is deleted on an edit that is not observed'],
  },
  {
    name: 'a ttl is half as long',
    scenario: 'rebalancers',
    file: rebalancer('expire-rebalancer.ts'),
    replaces: 'finishTime + object.ttlSecondsAfterFinished * SECOND',
    by: 'finishTime + (object.ttlSecondsAfterFinished * SECOND) / 2',
    breaks: ['nothing is deleted before its ttl'],
  },
  {
    name: 'a ttl of zero is none',
    scenario: 'rebalancers',
    file: rebalancer('expire-rebalancer.ts'),
    replaces: 'if (object.ttlSecondsAfterFinished === undefined)',
    by: 'if (!object.ttlSecondsAfterFinished)',
    breaks: ['what has a ttl is deleted in the end'],
  },
  {
    name: 'resync takes chunks that stand still for chunks under way',
    scenario: 'rebalancers',
    file: 'functions/resync/find-drift.ts',
    replaces: "sight.task?.state === 'Running' && standsStill(sight)",
    by: "sight.task?.state === 'Abandoned' && standsStill(sight)",
    breaks: ['every rebalancer is finished and observed in the end'],
  },
  {
    name: 'resync does not look at ttls',
    scenario: 'rebalancers',
    file: 'functions/resync/find-drift.ts',
    replaces: 'status.finishTime + ttl * SECOND < now',
    by: 'status.finishTime + ttl * SECOND < 0',
    breaks: ['what has a ttl is deleted in the end'],
  },
  {
    name: 'workloads are ordered by name first',
    scenario: 'rebalancers',
    file: 'shared/model/object-reference.ts',
    replaces: 'return `${reference.apiVersion} ${reference.kind} ${reference.namespace} ${reference.name}`;',
    by: 'return `${reference.name} ${reference.apiVersion} ${reference.kind} ${reference.namespace}`;',
    breaks: ['observedWorkloads are in order, each once'],
  },
  {
    name: 'a reduction is let go while its replacement is not ready',
    scenario: 'fleet',
    file: 'shared/model/graceful-reduction/release-reduction.ts',
    replaces: 'if (ready < replicas) return `${ready} of ${replicas} ready on ${name}`;',
    by: 'if (ready < 0) return `${ready} of ${replicas} ready on ${name}`;',
    breaks: ['nothing is let go before its replacement is ready'],
  },
  {
    name: 'a grace is in milliseconds',
    scenario: 'fleet',
    file: 'shared/model/graceful-reduction/replica-reduction.ts',
    replaces: '(gracePeriodSeconds ?? defaultSeconds) * SECOND',
    by: '(gracePeriodSeconds ?? defaultSeconds) + 0 * SECOND',
    breaks: ['nothing is let go before its replacement is ready'],
  },
  {
    name: 'nobody looks for reductions of which an event was lost',
    scenario: 'fleet',
    file: 'functions/graceful-reduction/find-reductions.lambda.ts',
    replaces: 'const due = page.filter((binding) => isDue(',
    by: 'const due = page.filter((binding) => page.length > 1e6 && isDue(',
    breaks: ['nothing is held for ever'],
  },
  {
    name: 'the descheduler takes what is ready',
    scenario: 'fleet',
    file: 'functions/descheduler/decide-eviction.ts',
    replaces: 'assigned - (ready ?? assigned)',
    by: 'ready === undefined ? 0 : assigned',
    breaks: ['nothing is taken out below what is ready'],
    from: 100,
  },
  {
    name: 'an eviction whose answer was lost is left as it is',
    scenario: 'fleet',
    file: 'functions/descheduler/deschedule-bindings.lambda.ts',
    replaces: "if (last?.outcome !== 'Planned') return last;",
    by: "if (last?.outcome !== 'DryRun') return last;",
    breaks: ['every decision of the descheduler comes to its end'],
  },
  {
    name: 'the weights of clusters are ignored',
    scenario: 'elastic',
    file: elasticModel('cluster-weights.ts'),
    replaces: 'override?.weight ?? defaultWeight',
    by: 'override === undefined ? defaultWeight : 1',
    breaks: ['every cluster has its share in the end', 'nothing is lent before its time'],
  },
  {
    name: 'a limit is one too high',
    scenario: 'elastic',
    file: elasticModel('limits.ts'),
    replaces: 'ceiling: max, tiers: [min, max]',
    by: 'ceiling: max + 1, tiers: [min, max + 1]',
    breaks: ['nobody is given more than the limit', 'every cluster has its share in the end'],
  },
  {
    name: 'the work of a cluster that left is kept',
    scenario: 'elastic',
    file: elasticFunction('balance-replicas.ts'),
    replaces: '!stays && balance.next.get(cluster) === 0',
    by: '!stays && balance.next.get(cluster) === -1',
    breaks: ['what left the placement has no work in the end'],
  },
  {
    name: 'an ElasticWorkload goes before its works',
    scenario: 'elastic',
    file: elasticFunction('balance-replicas.lambda.ts'),
    replaces: 'await deleteWorks(hub, works);\n  const finalizers',
    by: 'const finalizers',
    breaks: ['it goes after its works', 'what is deleted leaves nothing behind'],
  },
  {
    name: 'a target that another one has is no hindrance',
    scenario: 'elastic',
    file: 'shared/edge/read-elastic.ts',
    replaces: 'if (taken !== undefined) return',
    by: 'if (taken?.message === "") return',
    breaks: ['nothing is touched for what can not be carried out', 'what can not be carried out says so'],
  },
  {
    name: 'nobody hesitates to lend',
    scenario: 'elastic',
    file: elasticModel('sights.ts'),
    replaces: 'short !== undefined && now - short.since >= hesitationMs',
    by: 'short !== undefined && now - short.since >= hesitationMs / 100',
    breaks: ['nothing is lent before its time'],
  },
  {
    name: 'Bursty waits for nobody',
    scenario: 'elastic',
    file: elasticModel('plan-transfer.ts'),
    replaces: 'let owed = Math.max(sum(expected) - sum(there), 0);',
    by: 'let owed = Math.min(sum(expected) - sum(there), 0);',
    breaks: ['Bursty: nothing shrinks before others are ready'],
  },
  {
    name: 'Conservative waits for nobody',
    scenario: 'elastic',
    file: elasticModel('plan-transfer.ts'),
    replaces: 'const free = Math.max(total - sum(taken), 0);',
    by: 'const free = Math.max(total, sum(taken));',
    breaks: ['Conservative: nothing grows before others have shrunk'],
  },
  {
    name: 'Conservative takes what a spoke was scaled to for something that has to grow',
    scenario: 'elastic',
    file: elasticModel('plan-transfer.ts'),
    replaces: 'Math.max(place.written, place.occupied)',
    by: 'place.written',
    breaks: ['what is written is there and ready in the end', 'the conditions are true in the end'],
    from: 65,
  },
];
