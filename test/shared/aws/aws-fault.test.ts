import { describe, expect, it } from 'vitest';
import { awsFault } from '../../../shared/aws/aws-fault.ts';

const named = (name: string) => Object.assign(new Error('no'), { name });

describe('an error of AWS', () => {
  it.each([
    ['ThrottlingException', 'limited'],
    ['ProvisionedThroughputExceededException', 'limited'],
    ['RequestLimitExceeded', 'limited'],
    ['TooManyRequestsException', 'limited'],
    ['InternalServerError', 'retryable'],
    ['AccessDeniedException', 'retryable'],
    ['TimeoutError', 'retryable'],
  ])('called %s is %s, and names the service', (name, retryClass) => {
    const thrown = named(name);
    const fault = awsFault('SQS', thrown);
    expect(fault).toMatchObject({ retryClass, reason: name, message: `SQS: ${name}: no`, cause: thrown });
  });

  it.each([
    [
      new Error('Region is missing'),
      'NoRegion',
      'no AWS region is set; set AWS_REGION, or a region in the AWS profile',
    ],
    [
      Object.assign(new Error('Could not load credentials from any providers'), { name: 'CredentialsProviderError' }),
      'NoCredentials',
      'no AWS credentials are found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
  ])('of a shell that is not set up states how to set it up: %s', (thrown, reason, message) => {
    expect(awsFault('Lambda', thrown)).toMatchObject({ retryClass: 'terminal', reason, message });
  });

  it('that is no Error is retryable', () => {
    const message = 'SQS: Unknown: something that is not an Error was thrown';
    expect(awsFault('SQS', 'no')).toMatchObject({ retryClass: 'retryable', reason: 'Unknown', message, cause: 'no' });
  });
});
