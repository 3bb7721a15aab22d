import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { clientConfig, jsonEnvironment } from '../../../shared/aws/client-config.ts';

describe('an AWS client of a function', () => {
  it('repeats a request that fails or hangs, within the time of an invocation', async () => {
    const { config } = new SQSClient({ ...clientConfig, region: 'local' });
    expect(await config.maxAttempts()).toBe(5);
    // The handler resolves its options with the first request.
    const handler = config.requestHandler as unknown as { readonly configProvider: Promise<object> };
    expect(await handler.configProvider).toMatchObject({ connectionTimeout: 2000, requestTimeout: 5000 });
  });
});

describe('a variable of the environment in JSON', () => {
  it('is read as an object', () => {
    expect(jsonEnvironment({ EVENKEEL_QUEUES: '{"a":1}' }, 'queues')).toEqual({ a: 1 });
  });

  it.each([
    ['not set', {}, 'EVENKEEL_QUEUES is not set; the stack sets it for the functions that need it'],
    ['not JSON', { EVENKEEL_QUEUES: '{' }, 'EVENKEEL_QUEUES is not a JSON object; the stack sets it'],
  ])('that is %s is a terminal fault with its name', (_, environment, message) => {
    const fault = { retryClass: 'terminal', reason: 'InvalidEnvironment', message };
    expect(() => jsonEnvironment(environment, 'queues')).toThrow(expect.objectContaining(fault) as Error);
  });
});
