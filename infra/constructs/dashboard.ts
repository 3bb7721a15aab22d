/** One dashboard, from top to bottom: alarms, events, functions, hubs. */
import { type Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { shortNameOf } from '../function-paths.ts';
import { FIVE_MINUTES } from './alarms.ts';
import { consumedEvents, SentMetrics } from './metrics.ts';
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
  const sent = new SentMetrics(config.name);
  return new Dashboard(scope, 'Dashboard', {
    dashboardName: config.name,
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: WHOLE, height: 6 })],
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
          sent.rejected(),
        ]),
        graph('Dead letters, and bindings whose rescheduling is overdue', [
          ...[...consumedEvents, undefined].map((event) => sent.deadLetters(event)),
          ...config.hubs.map(({ name }) => sent.overdue(name)),
        ]),
      ],
      [
        graph(
          'Replicas descheduled, and unschedulable ones that were kept',
          config.hubs.flatMap(({ name }) => [sent.descheduling.taken(name), sent.descheduling.withheld(name)]),
        ),
        graph(
          'Estimators that did not answer',
          config.hubs.map(({ name }) => sent.descheduling.silent(name)),
        ),
      ],
      [
        graph(
          'Replicas moved by RebalancePolicies, and their runs that were stopped',
          config.hubs.flatMap(({ name }) => [sent.policies.moved(name), sent.policies.stopped(name)]),
        ),
        graph(
          'Bindings whose reduction is held, reductions that were released, and those that were not replaced in time',
          config.hubs.flatMap(({ name }) => [
            sent.reductions.held(name),
            sent.reductions.released(name),
            sent.reductions.late(name),
          ]),
        ),
      ],
      [
        graph('Borrowed replicas of ElasticWorkloads, and those without a cluster', [
          ...config.hubs.map(({ name }) => sent.elastic.borrowed(name)),
          sent.elastic.unplaced(),
        ]),
      ],
    ],
  });
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: HALF, height: 6 });
}
