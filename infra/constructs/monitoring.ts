/** Monitoring: an alarm on every failure, one topic, one dashboard. */
import { Stack } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ITopic, Topic, type TopicProps } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { functions } from '../../shared/bus/functions.ts';
import { SILENT_INTERVALS } from '../../shared/kubernetes/hub-reach.ts';
import { shortNameOf } from '../function-paths.ts';
import { Alarms, FIVE_MINUTES } from './alarms.ts';
import { overview } from './dashboard.ts';
import type { EventRoute } from './event-route.ts';
import type { EventSchedules } from './event-schedules.ts';
import { consumedEvents, recurringEvents, SentMetrics } from './metrics.ts';
import type { Watched } from './watched.ts';

export interface MonitoringProps extends Watched {
  /** Notified by every alarm; created by default. */
  readonly topic: ITopic | undefined;
  /** Encrypts a created topic. */
  readonly key: IKey;
}

/** With backoff, a message reaches this age only after retries of hundreds of seconds have failed. */
const OLD_SECONDS = 900;
/** During a rotation a token is rejected a few times; a wrong one is rejected with every batch. */
const REJECTIONS = 10;

export class Monitoring extends Construct {
  readonly topic: ITopic;
  readonly alarms: Alarms;
  readonly #sent: SentMetrics;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { config, key } = props;
    this.#sent = new SentMetrics(config.name);
    this.topic = props.topic ?? alarmTopic(this, { topicName: `${config.name}-alarms`, masterKey: key });
    this.alarms = new Alarms(this, 'Alarms', { name: config.name, topic: this.topic });
    for (const route of props.routes) this.#watchRoute(route);
    for (const [name, lambda] of props.lambdas) {
      // Callers see a failure of these immediately, and a stack of many hubs has no capacity for more alarms.
      if (functions[name].invokedBy !== 'operator') this.#watchFunction(shortNameOf(name), lambda);
    }
    for (const [about, schedules] of Object.entries(props.schedules)) this.#watchSchedules(about, schedules);
    this.#watchHook(props.hook);
    this.#watchAuditEvents(props);
    this.#watchProcessing(props);
    overview(this, { ...props, alarms: this.alarms.all });
  }

  #watchRoute({ route, queue, deadLetters }: EventRoute): void {
    this.alarms.add({
      section: 'dead-letters',
      about: route.name,
      description: `A ${route.consumes.join(' or ')} could not be delivered to ${route.function} and is in the dead-letter queue.`,
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES, statistic: 'max' }),
      threshold: 1,
    });
    this.alarms.add({
      section: 'old-messages',
      about: route.name,
      description: `A ${route.consumes.join(' or ')} has been waiting for ${route.function} for a quarter of an hour.`,
      metric: queue.metricApproximateAgeOfOldestMessage({ period: FIVE_MINUTES, statistic: 'max' }),
      threshold: OLD_SECONDS,
      periods: 2,
    });
  }

  /** A task reports errors per message: an error of the function is a crash, a timeout or out of memory. */
  #watchFunction(about: string, lambda: IFunction): void {
    this.alarms.add({
      section: 'function-errors',
      about,
      description: `${about} crashed, ran out of time or out of memory.`,
      metric: lambda.metricErrors({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: 1,
    });
    this.alarms.add({
      section: 'function-throttles',
      about,
      description: `${about} was throttled for a quarter of an hour: the account is at its limit of concurrent executions.`,
      metric: lambda.metricThrottles({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: 1,
      periods: 3,
    });
  }

  #watchSchedules(about: string, { deadLetters }: EventSchedules): void {
    this.alarms.add({
      section: 'lost-schedules',
      about,
      description: 'A schedule was due and could not put its event on the bus.',
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES, statistic: 'max' }),
      threshold: 1,
    });
  }

  #watchHook(hook: IHttpStage): void {
    this.alarms.add({
      section: 'hook-refuses',
      about: '4xx',
      description: 'The hook rejects requests of a hub: a wrong token, a body too large, or a path without a hub.',
      metric: hook.metricClientError({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: REJECTIONS,
    });
    this.alarms.add({
      section: 'hook-fails',
      about: '5xx',
      description: 'The hook could not take in events; the hub sends them again for a minute and then drops them.',
      metric: hook.metricServerError({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: 1,
    });
  }

  #watchAuditEvents({ config, lambdas }: Watched): void {
    for (const { name } of config.hubs) {
      this.alarms.add({
        section: 'unreadable-audit-events',
        about: name,
        description: `Hub ${name} sends audit events that can't be read; what changed there is found by resync only.`,
        metric: this.#sent.unreadableEvents(name),
        threshold: 1,
      });
    }
    if (!lambdas.has('cluster-hook/read-audit-log')) return;
    this.alarms.add({
      section: 'unreadable-audit-events',
      about: 'logs',
      description: "A log sends what can't be unpacked, or is not known as a hub's.",
      metric: this.#sent.unreadableLogs(),
      threshold: 1,
    });
  }

  /** Metrics that the functions send, and whether resync still runs. */
  #watchProcessing({ config }: Watched): void {
    // Faster than the queue depth, which CloudWatch reports only every few minutes. One alarm per event, because
    // one over all of them would need a query.
    this.alarms.add({
      section: 'expired-schedules',
      about: 'events',
      description: `A function could not handle a ${recurringEvents.join(' or ')}, after all deliveries, and dropped it: the next one repeats it.`,
      metric: this.#sent.expired(),
      threshold: 1,
    });
    for (const event of [...consumedEvents, undefined]) {
      this.alarms.add({
        section: 'dead-letters',
        about: event ?? 'unreadable',
        description: `A function gave up on ${event ? `a ${event}` : 'a message that is no event'}: it is in the dead-letter queue, with the reason as an attribute.`,
        metric: this.#sent.deadLetters(event),
        threshold: 1,
      });
    }
    for (const hub of config.hubs) {
      this.alarms.add({
        section: 'rescheduling-overdue',
        about: hub.name,
        description: `The scheduler of hub ${hub.name} has not acted on triggers that were written long ago.`,
        metric: this.#sent.overdue(hub.name),
        threshold: 1,
      });
    }
    this.alarms.add({
      section: 'unplaced-replicas',
      about: 'hubs',
      description: 'For a quarter of an hour replicas of an ElasticWorkload have had no cluster.',
      metric: this.#sent.elastic.unplaced(),
      threshold: 1,
      periods: 3,
    });
    this.alarms.add({
      section: 'overdue-reductions',
      about: 'hubs',
      description: 'A replica reduction is still held beyond its grace period: it was not released.',
      metric: this.#sent.reductions.overdue(),
      threshold: 1,
    });
    for (const { name } of config.hubs) {
      this.alarms.add({
        section: 'stopped-policies',
        about: name,
        description: `A RebalancePolicy of hub ${name} was stopped: a wave was not ready in time, and no further wave starts automatically.`,
        metric: this.#sent.policies.stopped(name),
        threshold: 1,
      });
      this.alarms.add({
        section: 'late-reductions',
        about: name,
        description: `Replicas on hub ${name} were removed before their replacement was ready: their grace period was over.`,
        metric: this.#sent.reductions.late(name),
        threshold: 1,
      });
      this.alarms.add({
        section: 'silent-estimators',
        about: name,
        description: `An estimator of hub ${name} has not answered for a quarter of an hour: pending replicas in that cluster are not descheduled.`,
        metric: this.#sent.descheduling.silent(name),
        threshold: 1,
        periods: 3,
      });
    }
    const { resyncMinutes } = config.settings;
    for (const [about, hubs] of tens(config.hubs.map(({ name }) => name))) {
      this.alarms.add({
        section: 'silent-resync',
        about,
        description: `One of ${hubs.join(', ')} was not compared with its tasks in ${SILENT_INTERVALS} × resyncMinutes: lost events are not recovered.`,
        metric: this.#sent.leastCompared(hubs, resyncMinutes),
        threshold: 1,
        below: true,
        periods: SILENT_INTERVALS,
        silence: TreatMissingData.BREACHING,
      });
    }
  }
}

/** Groups of the maximum number of metrics per alarm, each with a name. */
function tens(hubs: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  return Array.from({ length: Math.ceil(hubs.length / 10) }, (_, i) => [
    `hubs-${i + 1}`,
    hubs.slice(i * 10, (i + 1) * 10),
  ]);
}

function alarmTopic(scope: Construct, props: Required<Pick<TopicProps, 'topicName' | 'masterKey'>>): Topic {
  const topic = new Topic(scope, 'Topic', { ...props, displayName: 'Evenkeel', enforceSSL: true });
  // enforceSSL creates a topic policy, which replaces the default one that allows CloudWatch to publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  return topic;
}
