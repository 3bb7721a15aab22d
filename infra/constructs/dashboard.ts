/** One dashboard, read from top to bottom: does anything need me, do events flow, do functions work, do hubs answer. */
import { type Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { shortNameOf } from '../function-paths.ts';
import { FIVE_MINUTES } from './alarms.ts';
import {
  deadLettersMetric,
  descheduling,
  elastic,
  heardEvents,
  overdueMetric,
  policies,
  reductions,
  refusedMetric,
} from './metrics.ts';
import type { Watched } from './watched.ts';

const HALF = 12;
const WHOLE = 24;

export function overview(
  scope: Construct,
  { config, routes, lambdas, hook, alarms }: Watched & { readonly alarms: readonly Alarm[] },
): Dashboard {
  const perRoute = (make: (route: (typeof routes)[number]) => IMetric) => routes.map(make);
  const perFunction = (make: (lambda: NonNullable<ReturnType<typeof lambdas.get>>, label: string) => IMetric) =>
    [...lambdas].map(([name, lambda]) => make(lambda, shortNameOf(name)));
  const period = FIVE_MINUTES;
  return new Dashboard(scope, 'Dashboard', {
    dashboardName: config.name,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WHOLE, height: 6 })],
      [
        graph(
          'Events on each hop',
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
          refusedMetric(),
        ]),
        graph('Dead letters, and bindings whose rescheduling is overdue', [
          ...[...heardEvents, undefined].map((event) => deadLettersMetric(event)),
          ...config.hubs.map(({ name }) => overdueMetric(name)),
        ]),
      ],
      [
        graph(
          'Replicas descheduled, and unschedulable ones that were kept',
          config.hubs.flatMap(({ name }) => [descheduling.taken(name), descheduling.withheld(name)]),
        ),
        graph(
          'Estimators that did not answer',
          config.hubs.map(({ name }) => descheduling.silent(name)),
        ),
      ],
      [
        graph(
          'Replicas moved by RebalancePolicies, and their runs that were stopped',
          config.hubs.flatMap(({ name }) => [policies.moved(name), policies.stopped(name)]),
        ),
        graph(
          'Bindings whose reduction is held, reductions that were released, and those that were not replaced in time',
          config.hubs.flatMap(({ name }) => [reductions.held(name), reductions.released(name), reductions.late(name)]),
        ),
      ],
      [
        graph('Replicas of ElasticWorkloads that are lent, and those that no cluster takes', [
          ...config.hubs.map(({ name }) => elastic.lent(name)),
          elastic.unplaced(),
        ]),
      ],
    ],
  });
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: HALF, height: 6 });
}
