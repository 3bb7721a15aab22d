/** Converts an error of the AWS SDK to a Fault. */
import { Fault } from '../core/fault.ts';

const LIMITS = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
];

/** Throttling is `limited`; everything else is `retryable`, a denied call too: an operator can fix the permissions, then processing continues. */
export function awsFault(service: string, thrown: unknown): Fault {
  const { name, message } =
    thrown instanceof Error ? thrown : { name: 'Unknown', message: 'something that is not an Error was thrown' };
  return new Fault(LIMITS.includes(name) ? 'limited' : 'retryable', `${service}: ${name}: ${message}`, {
    reason: name,
    cause: thrown,
  });
}
