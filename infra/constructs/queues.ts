/** Defaults of all queues: encrypted, TLS only; dead-letter queues have the maximum retention of SQS. */
import { Duration } from 'aws-cdk-lib';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** SQS's own key: EventBridge and Scheduler can send to such a queue with no grant on a key. */
export const encrypted = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true };

const RETENTION_DAYS = 14;

export function deadLetterQueue(scope: Construct, id: string, queueName: string): sqs.Queue {
  return new sqs.Queue(scope, id, { ...encrypted, queueName, retentionPeriod: Duration.days(RETENTION_DAYS) });
}
