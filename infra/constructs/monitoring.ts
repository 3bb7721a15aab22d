/** Monitoring: one alarm for each kind of failure, one topic, one dashboard. */
import { Duration } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { functions } from '../../shared/bus/functions.ts';
import { MOST_DEAD_LETTERS } from '../../shared/console-api/health-findings.ts';
import { SILENT_INTERVALS } from '../../shared/kubernetes/hub-reach.ts';
import { shortNameOf } from '../function-paths.ts';
import { alarmTopic } from './alarm-topic.ts';
import { type AlarmProps, Alarms, FIVE_MINUTES } from './alarms.ts';
import { overview } from './dashboard.ts';
import type { Deployment } from './deployment.ts';
import { hubAlarms } from './hub-alarms.ts';
import { highestOf, type NamedMetrics, SentMetrics } from './metrics.ts';
import { watchObjectives } from './objectives.ts';
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
/** An alarm on a query reads the last three hours. */
const QUERY_MINUTES = 180;

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
    this.#watchQueues(props);
    this.#watchFunctions(props);
    this.#watchHook(props.hook);
    this.#watchResync(config.settings);
    for (const alarm of hubAlarms) {
      this.alarms.add({ about: 'hubs', threshold: 1, ...alarm, metric: this.#sent.by('hub', alarm.sends) });
    }
    this.alarms.add({
      section: 'unreadable-audit-events',
      about: 'logs',
      description: "A log sends what can't be unpacked, or is not known as a hub's.",
      metric: this.#sent.total('AuditLogsUnreadable'),
      threshold: 1,
    });
    watchObjectives(this.alarms, this.#sent);
    overview(this, { ...props, alarms: this.alarms.all });
  }

  #watchQueues({ routes, oneTimeSchedules }: Watched): void {
    const period = FIVE_MINUTES;
    this.#addOver(
      routes.map(({ route: { name }, deadLetters }) => ({
        name,
        metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'max' }),
      })),
      {
        section: 'dead-letters',
        about: 'queues',
        description: 'An event could not be delivered to its function and is in the dead-letter queue of its route.',
        threshold: MOST_DEAD_LETTERS + 1,
      },
    );
    this.#addOver(
      routes.map(({ route: { name }, queue }) => ({
        name,
        metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'max' }),
      })),
      {
        section: 'old-messages',
        about: 'queues',
        description: 'An event has been waiting in the queue of its route for a quarter of an hour.',
        threshold: OLD_SECONDS,
        periods: 2,
      },
    );
    // Faster than the queue depth, which CloudWatch reports only every few minutes.
    this.alarms.add({
      section: 'dead-letters',
      about: 'events',
      description:
        'A function gave up on an event: it is in the dead-letter queue, with the reason as an attribute. The event Other is a message that is no event.',
      metric: this.#sent.by('event', 'DeadLetters'),
      threshold: MOST_DEAD_LETTERS + 1,
    });
    this.alarms.add({
      section: 'lost-schedules',
      about: 'one-time-schedules',
      description: 'A schedule was due and could not put its event on the bus.',
      metric: oneTimeSchedules.deadLetters.metricApproximateNumberOfMessagesVisible({ period, statistic: 'max' }),
      threshold: 1,
    });
  }

  /**
   * A task reports errors per message: an error of the function is a crash, a timeout or out of memory. Callers of the others see an error or a
   * throttle at once: users, and for the hook the alarm on its 5xx.
   */
  #watchFunctions({ lambdas }: Watched): void {
    const watched = [...lambdas]
      .filter(([name]) => functions[name].invokedBy === 'queue' || functions[name].invokedBy === 'logs')
      .map(([name, lambda]) => ({ name: shortNameOf(name), lambda }));
    const period = FIVE_MINUTES;
    this.#addOver(
      watched.map(({ name, lambda }) => ({ name, metric: lambda.metricErrors({ period, statistic: 'sum' }) })),
      {
        section: 'function-errors',
        about: 'functions',
        description: 'A function crashed, ran out of time or out of memory.',
        threshold: 1,
      },
    );
    this.#addOver(
      watched.map(({ name, lambda }) => ({ name, metric: lambda.metricThrottles({ period, statistic: 'sum' }) })),
      {
        section: 'function-throttles',
        about: 'functions',
        description:
          'A function was throttled for a quarter of an hour: the account is at its limit of concurrent executions.',
        threshold: 1,
        periods: 3,
      },
    );
  }

  #addOver(metrics: NamedMetrics, { about, description, ...alarm }: Omit<AlarmProps, 'metric'>): void {
    for (const [i, { names, metric }] of highestOf(metrics).entries()) {
      const list = `One of: ${names.join(', ')}.`;
      this.alarms.add({ ...alarm, about: `${about}-${i + 1}`, description: `${description} ${list}`, metric });
    }
  }

  #watchHook(hook: IHttpStage): void {
    this.alarms.add({
      section: 'hook-rejections',
      about: '4xx',
      description: 'The hook rejects requests of a hub: a wrong token, a body too large, or a path without a hub.',
      metric: hook.metricClientError({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: REJECTIONS,
    });
    this.alarms.add({
      section: 'hook-fails',
      about: '5xx',
      description:
        'The hook could not take in events, or a review; the hub sends events again for a minute and then drops them.',
      metric: hook.metricServerError({ period: FIVE_MINUTES, statistic: 'sum' }),
      threshold: 1,
    });
  }

  /**
   * A silent hub sends nothing, so resync/publish-due counts it when it is due again: once in an interval. Two intervals always contain one count. And
   * if that function does not run, nothing is counted: its own alarm fires.
   */
  #watchResync({ resyncMinutes }: Deployment['settings']): void {
    this.alarms.add({
      section: 'silent-resync',
      about: 'hubs',
      description: `A hub was not compared with its tasks in ${SILENT_INTERVALS} × resyncMinutes: lost events are not recovered.`,
      metric: this.#sent.by('hub', 'HubsNotCompared', Duration.minutes(Math.min(2 * resyncMinutes, QUERY_MINUTES))),
      threshold: 1,
    });
    this.alarms.add({
      section: 'silent-resync',
      about: 'schedules',
      description:
        'For a quarter of an hour no recurring event of any hub was published: neither resync nor descheduling runs.',
      metric: this.#sent.total('SchedulesPublished'),
      threshold: 1,
      below: true,
      periods: 3,
      silence: TreatMissingData.BREACHING,
    });
  }
}
