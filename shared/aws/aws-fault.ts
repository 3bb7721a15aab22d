/** Converts an error of the AWS SDK to a Fault. */
import { Fault } from '../core/fault.ts';

const LIMITS = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
];

/** Errors of the shell of a user of the command line, with the way out. A deployed function has a region and credentials. */
const setup: readonly { readonly is: (thrown: Error) => boolean; readonly message: string; readonly reason: string }[] =
  [
    {
      is: ({ message }) => message === 'Region is missing',
      message: 'no AWS region is set; set AWS_REGION, or a region in the AWS profile',
      reason: 'NoRegion',
    },
    {
      is: ({ name }) => name === 'CredentialsProviderError',
      message: 'no AWS credentials are found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      reason: 'NoCredentials',
    },
  ];

/** Throttling is `limited`; everything else is `retryable`, a denied call too: an operator can fix the permissions, then processing continues. */
export function awsFault(service: string, thrown: unknown): Fault {
  const missing = setup.find(({ is }) => thrown instanceof Error && is(thrown));
  if (missing !== undefined) return new Fault('terminal', missing.message, { reason: missing.reason, cause: thrown });
  const { name, message } =
    thrown instanceof Error ? thrown : { name: 'Unknown', message: 'something that is not an Error was thrown' };
  return new Fault(LIMITS.includes(name) ? 'limited' : 'retryable', `${service}: ${name}: ${message}`, {
    reason: name,
    cause: thrown,
  });
}
