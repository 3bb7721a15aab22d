/** One route: a rule on the bus, a queue, its function, and a dead-letter queue for both. */
import { Duration } from 'aws-cdk-lib';
import type * as events from 'aws-cdk-lib/aws-events';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { catalogue } from '../../shared/bus/catalogue.ts';
import { functions } from '../../shared/bus/functions.ts';
import type { Route } from '../../shared/bus/routes.ts';
import { DEAD_LETTERS } from '../../shared/core/environment.ts';
import { AwsEvents } from './aws-events.ts';
import type { Deployment } from './deployment.ts';
import { otherSources, ownAndBridges, ownSource } from './event-sources.ts';
import { deadLetterQueue, encrypted } from './queues.ts';

/** AWS's recommendation: after several throttled attempts a batch is still invisible to other invocations. */
const VISIBILITY_TIMEOUTS = 6;
/** How long the bus retries delivery to the queue. Resync finds a lost event much earlier. */
const DELIVERY_HOURS = 2;

export interface EventRouteProps {
  readonly config: Deployment;
  readonly bus: events.EventBus;
}

export class EventRoute extends Construct {
  readonly route: Route;
  /** Name of the queue. Operator functions derive URLs from it (EVENKEEL_QUEUES_URL). */
  readonly physicalName: string;
  readonly queue: sqs.Queue;
  /** Shared by the queue and the rule, so that all lost messages of a route are in one place. */
  readonly deadLetters: sqs.Queue;

  constructor(scope: Construct, route: Route, { config, bus }: EventRouteProps) {
    super(scope, route.name);
    this.route = route;
    const physicalName = `${config.name}-${route.name}`;
    this.physicalName = physicalName;
    this.deadLetters = deadLetterQueue(this, 'DeadLetters', `${physicalName}${DEAD_LETTERS}`);
    this.queue = new sqs.Queue(this, 'Queue', {
      ...encrypted,
      queueName: physicalName,
      deliveryDelay: Duration.seconds(route.queue.delaySeconds),
      visibilityTimeout: visibilityOf(route),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: config.settings.maxReceives },
    });
    const isFedByHubs = route.consumes.some((type) => 'fromHub' in catalogue[type]);
    const isExternal = route.consumes.some((type) => 'external' in catalogue[type]);
    const rule = new Rule(this, 'Rule', {
      ruleName: physicalName,
      description: `${route.consumes.join(', ')} is consumed by ${route.function}`,
      eventBus: bus,
      eventPattern: isExternal
        ? { source: [...otherSources] }
        : {
            source: [...(isFedByHubs ? ownAndBridges : ownSource)],
            detailType: [...route.consumes],
            ...(route.onlyFor !== undefined && { detail: { [route.onlyFor]: [1] } }),
          },
      targets: [this.#target()],
    });
    if (isExternal) new AwsEvents(this, 'AwsEvents', { name: physicalName, target: this.#target() });
    // An SQS fair queue: if messages of one hub pile up, messages of other hubs are received before them. Not by the option of
    // SqsQueue, which older versions of the CDK reject for a standard queue.
    if (route.consumes.some((type) => 'ofNoHub' in catalogue[type])) return;
    (rule.node.defaultChild as events.CfnRule).addPropertyOverride('Targets.0.SqsParameters', {
      MessageGroupId: '$.detail.hub',
    });
  }

  /** Of the rules on this bus and on others. */
  #target(): SqsQueue {
    const maxEventAge = Duration.hours(DELIVERY_HOURS);
    return new SqsQueue(this.queue, { deadLetterQueue: this.deadLetters, maxEventAge });
  }

  /** Makes the queue trigger its function. */
  feed(target: IFunction): void {
    const { batchSize, batchWindowSeconds, maxConcurrency } = this.route.queue;
    new EventSourceMapping(this, 'Feed', {
      target,
      eventSourceArn: this.queue.queueArn,
      batchSize,
      maxBatchingWindow: Duration.seconds(batchWindowSeconds),
      maxConcurrency,
      reportBatchItemFailures: true,
    });
  }
}

function visibilityOf(route: Route): Duration {
  const { timeoutSeconds } = functions[route.function];
  return Duration.seconds(VISIBILITY_TIMEOUTS * timeoutSeconds + route.queue.batchWindowSeconds);
}
