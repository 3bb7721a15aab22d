/** What tells people that something needs them: an alarm on everything that can fail, one topic, one dashboard. */
import { Duration, Stack } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { functions } from '../../shared/functions.ts';
import { shortNameOf } from '../function-paths.ts';
import { Alarms, FIVE_MINUTES } from './alarms.ts';
import { overview } from './dashboard.ts';
import type { EventRoute } from './event-route.ts';
import type { EventSchedules } from './event-schedules.ts';
import {
  deadLettersMetric,
  descheduling,
  elastic,
  heardEvents,
  overdueMetric,
  policies,
  reductions,
  unreadableEventsMetric,
  unreadableLogsMetric,
} from './metrics.ts';
import type { Watched } from './watched.ts';

export interface MonitoringProps extends Watched {
  /** The topic's. */
  readonly key: IKey;
}

/** A message that is delivered again with backoff grows this old only if hundreds of seconds of retries did not help. */
const OLD_SECONDS = 900;
/** A token that is being rotated is refused a few times; one that is wrong, with every batch. */
const REFUSALS = 10;
/** A clock may be late; three ticks that did not come are a clock that stands still. */
const SILENT_TICKS = 3;

export class Monitoring extends Construct {
  readonly topic: Topic;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { config, key } = props;
    this.topic = new Topic(this, 'Topic', {
      topicName: `${config.name}-alarms`,
      displayName: 'Evenkeel',
      masterKey: key,
      enforceSSL: true,
    });
    // TLS only makes a policy of its own for the topic, and with that the default is gone, by which CloudWatch could publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    this.alarms = new Alarms(this, 'Alarms', { name: config.name, topic: this.topic });
    for (const route of props.routes) this.#watchRoute(route);
    for (const [name, lambda] of props.lambdas) {
      // Whoever calls one of these sees at once that it failed, and a stack of many hubs has no room for more alarms.
      if (functions[name].invokedBy !== 'operator') this.#watchFunction(shortNameOf(name), lambda);
    }
    for (const [about, schedules] of Object.entries(props.schedules)) this.#watchSchedules(about, schedules);
    this.#watchHook(props.hook);
    this.#watchAuditEvents(props);
    this.#watchWork(props);
    overview(this, { ...props, alarms: this.alarms.all });
  }

  #watchRoute({ route, queue, deadLetters }: EventRoute): void {
    this.alarms.add({
      section: 'dead-letters',
      about: route.name,
      says: `A ${route.hears.join(' or ')} could not be delivered to ${route.function} and lies among the dead letters.`,
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES, statistic: 'max' }),
      threshold: 1,
    });
    this.alarms.add({
      section: 'old-messages',
      about: route.name,
      says: `A ${route.hears.join(' or ')} has been waiting for ${route.function} for a quarter of an hour.`,
      metric: queue.metricApproximateAgeOfOldestMessage({ period: FIVE_MINUTES, statistic: 'max' }),
      threshold: OLD_SECONDS,
      periods: 2,
    });
  }

  /** A task answers for each message by itself: an error of the function is a crash, a timeout or too little memory. */
  #watchFunction(about: string, lambda: IFunction): void {
    this.alarms.add({
      section: 'function-errors',
      about,
      says: `${about} crashed, ran out of time or out of memory.`,
      metric: lambda.metricErrors({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: 1,
    });
    this.alarms.add({
      section: 'function-throttles',
      about,
      says: `${about} was held back for a quarter of an hour: the account is at its limit of concurrent executions.`,
      metric: lambda.metricThrottles({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: 1,
      periods: 3,
    });
  }

  #watchSchedules(about: string, { deadLetters }: EventSchedules): void {
    this.alarms.add({
      section: 'lost-schedules',
      about,
      says: 'A schedule was due and could not put its event on the bus.',
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES, statistic: 'max' }),
      threshold: 1,
    });
  }

  #watchHook(hook: IHttpStage): void {
    this.alarms.add({
      section: 'hook-refuses',
      about: '4xx',
      says: 'A hub sends what the hook refuses: a wrong token, a body too large, or a path without a hub.',
      metric: hook.metricClientError({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: REFUSALS,
    });
    this.alarms.add({
      section: 'hook-fails',
      about: '5xx',
      says: 'The hook could not take in events; the hub sends them again for a minute and then drops them.',
      metric: hook.metricServerError({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: 1,
    });
  }

  #watchAuditEvents({ config, lambdas }: Watched): void {
    for (const { name } of config.hubs) {
      this.alarms.add({
        section: 'unreadable-audit-events',
        about: name,
        says: `Hub ${name} sends audit events that can't be read; what changed there is found by resync only.`,
        metric: unreadableEventsMetric(name),
        threshold: 1,
      });
    }
    if (!lambdas.has('cluster-hook/read-audit-log')) return;
    this.alarms.add({
      section: 'unreadable-audit-events',
      about: 'logs',
      says: "A log sends what can't be unpacked, or is not known as a hub's.",
      metric: unreadableLogsMetric(),
      threshold: 1,
    });
  }

  /** What the functions themselves say of their work, and whether resync still ticks. */
  #watchWork({ config, lambdas }: Watched): void {
    // Sooner than the depth of the queue, which CloudWatch hears of only every few minutes; and for each event, because
    // an alarm over all of them would need a query.
    for (const event of [...heardEvents, undefined]) {
      this.alarms.add({
        section: 'dead-letters',
        about: event ?? 'unreadable',
        says: `A function gave up on ${event ? `a ${event}` : 'a message that is no event'}: it lies among the dead letters, with the reason beside it.`,
        metric: deadLettersMetric(event),
        threshold: 1,
      });
    }
    for (const hub of config.hubs) {
      this.alarms.add({
        section: 'rescheduling-overdue',
        about: hub.name,
        says: `The scheduler of hub ${hub.name} has not acted on triggers that were written long ago.`,
        metric: overdueMetric(hub.name),
        threshold: 1,
      });
    }
    this.alarms.add({
      section: 'unplaced-replicas',
      about: 'hubs',
      says: 'For a quarter of an hour replicas of an ElasticWorkload have had no cluster that takes them.',
      metric: elastic.unplaced(),
      threshold: 1,
      periods: 3,
    });
    for (const { name } of config.hubs) {
      this.alarms.add({
        section: 'stopped-policies',
        about: name,
        says: `A RebalancePolicy of hub ${name} was stopped: a wave was not ready in time, and nothing more of it starts by itself.`,
        metric: policies.stopped(name),
        threshold: 1,
      });
      this.alarms.add({
        section: 'late-reductions',
        about: name,
        says: `Replicas on hub ${name} were taken away though what replaces them was not ready: their grace was over.`,
        metric: reductions.late(name),
        threshold: 1,
      });
      this.alarms.add({
        section: 'silent-estimators',
        about: name,
        says: `An estimator of hub ${name} has not answered for a quarter of an hour: what is pending in that cluster stays there.`,
        metric: descheduling.silent(name),
        threshold: 1,
        periods: 3,
      });
    }
    const findDrift = lambdas.get('resync/find-drift');
    if (!findDrift) return;
    this.alarms.add({
      section: 'silent-resync',
      about: 'find-drift',
      says: `No hub was compared with its tasks in ${SILENT_TICKS} × resyncMinutes: a lost event is not made good.`,
      metric: findDrift.metricInvocations({
        period: Duration.minutes(config.settings.resyncMinutes),
        statistic: 'sum',
      }),
      threshold: 1,
      below: true,
      periods: SILENT_TICKS,
      silence: TreatMissingData.BREACHING,
    });
  }
}
