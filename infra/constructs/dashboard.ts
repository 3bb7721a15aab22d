/** One dashboard, from top to bottom: alarms, objectives, events, functions, hubs. */
import { AlarmStatusWidget, Dashboard, GraphWidget, type IAlarm, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { MetricName } from '../../shared/core/metrics.ts';
import { shortNameOf } from '../function-paths.ts';
import { FIVE_MINUTES } from './alarms.ts';
import { SentMetrics } from './metrics.ts';
import { objectiveRows } from './objectives.ts';
import type { Watched } from './watched.ts';

const HALF = 12;
const WHOLE = 24;

const perHub: readonly (readonly [MetricName, string])[] = [
  ['HubsNotCompared', 'Hubs that were not compared with their tasks in time'],
  ['ReschedulingOverdue', 'Bindings whose rescheduling is overdue'],
  ['ReplicasDescheduled', 'Replicas descheduled'],
  ['ReplicasWithheld', 'Unschedulable replicas that were kept'],
  ['EstimatorsSilent', 'Estimators that did not answer'],
  ['ReplicasMovedByPolicies', 'Replicas moved by RebalancePolicies'],
  ['PolicyRunsStopped', 'Runs of RebalancePolicies that were stopped'],
  ['ReductionsHeld', 'Bindings whose reduction is held'],
  ['ReductionsReleased', 'Reductions that were released'],
  ['ReductionsReleasedLate', 'Reductions that were not replaced in time'],
  ['ElasticReplicasBorrowed', 'Borrowed replicas of ElasticWorkloads'],
  ['ElasticReplicasUnplaced', 'Replicas of ElasticWorkloads without a cluster'],
];

export function overview(
  scope: Construct,
  { config, routes, lambdas, hook, alarms }: Watched & { readonly alarms: readonly IAlarm[] },
): Dashboard {
  const perRoute = (make: (route: (typeof routes)[number]) => IMetric) => routes.map(make);
  const perFunction = (make: (lambda: NonNullable<ReturnType<typeof lambdas.get>>, label: string) => IMetric) =>
    [...lambdas].map(([name, lambda]) => make(lambda, shortNameOf(name)));
  const period = FIVE_MINUTES;
  const sent = new SentMetrics(config.name);
  return new Dashboard(scope, 'Dashboard', {
    dashboardName: config.name,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WHOLE, height: 6 })],
      ...objectiveRows(sent),
      [
        graph(
          'Events on each route',
          perRoute(({ queue, route }) =>
            queue.metricNumberOfMessagesSent({ period, statistic: 'sum', label: route.name }),
          ),
        ),
        graph(
          'Age of the oldest message, s',
          perRoute(({ queue, route }) =>
            queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'max', label: route.name }),
          ),
        ),
      ],
      [
        graph(
          'Duration, p99, ms',
          perFunction((lambda, label) => lambda.metricDuration({ period, statistic: 'p99', label })),
        ),
        graph(
          'Errors of functions',
          perFunction((lambda, label) => lambda.metricErrors({ period, statistic: 'sum', label })),
        ),
      ],
      [
        graph('Hook', [
          hook.metricCount({ period, label: 'requests' }),
          hook.metricClientError({ period, label: '4xx' }),
          hook.metricServerError({ period, label: '5xx' }),
          sent.total('HookRejected'),
        ]),
        graph('Dead letters, by event', [sent.highest('event', 'DeadLetters')]),
      ],
      // A graph has one query: the twenty hubs with the most.
      ...pairs(perHub).map((row) => row.map(([metric, title]) => graph(title, [sent.highest('hub', metric)]))),
    ],
  });
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: HALF, height: 6 });
}

function pairs<T>(items: readonly T[]): readonly (readonly T[])[] {
  return items.flatMap((_, i) => (i % 2 === 0 ? [items.slice(i, i + 2)] : []));
}
