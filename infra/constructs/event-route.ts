/** One hop: a rule on the bus, a queue, the function behind it, and dead letters for what neither could deliver. */
import { Duration } from 'aws-cdk-lib';
import type * as events from 'aws-cdk-lib/aws-events';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { patternOf, type Route } from '../../shared/events/routes.ts';
import { functions } from '../../shared/functions.ts';
import { DEAD_LETTERS } from '../../shared/wiring.ts';
import type { EvenkeelConfig } from '../config.ts';
import { deadLetterQueue, encrypted } from './queues.ts';

/** AWS's advice: a batch that was throttled several times is still invisible, so no second function gets it meanwhile. */
const VISIBILITY_TIMEOUTS = 6;
/** The bus tries this long to reach the queue. A lost hint is found by resync long before. */
const DELIVERY_HOURS = 2;

export interface EventRouteProps {
  readonly config: EvenkeelConfig;
  readonly bus: events.EventBus;
}

export class EventRoute extends Construct {
  readonly route: Route;
  /** Of the queue. Functions that look after all queues reckon with it (EVENKEEL_QUEUES_URL). */
  readonly physicalName: string;
  readonly queue: sqs.Queue;
  /** Of the queue and of the rule alike: whoever looks for what was lost on this hop looks in one place. */
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
    const { source, 'detail-type': detailType } = patternOf(route);
    new Rule(this, 'Rule', {
      ruleName: physicalName,
      description: `${route.hears.join(', ')} is heard by ${route.function}`,
      eventBus: bus,
      eventPattern: { source: [...source], detailType: [...detailType] },
      targets: [
        new SqsQueue(this.queue, { deadLetterQueue: this.deadLetters, maxEventAge: Duration.hours(DELIVERY_HOURS) }),
      ],
    });
  }

  /** Has the queue feed its function. */
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
