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

  it('that is no Error is retryable', () => {
    const message = 'SQS: Unknown: something that is not an Error was thrown';
    expect(awsFault('SQS', 'no')).toMatchObject({ retryClass: 'retryable', reason: 'Unknown', message, cause: 'no' });
  });
});
