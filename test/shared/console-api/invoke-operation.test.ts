import { userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { invokeOperation } from '../../../shared/console-api/invoke-operation.ts';
import { type AwsAnswer, type AwsEndpoint, startAwsEndpoint } from '../../fakes/aws-endpoint.ts';

const alice = { source: 'console', name: 'alice' } as const;

describe('a deployment that is called through its functions', () => {
  let endpoint: AwsEndpoint;
  let answer: AwsAnswer;
  beforeEach(async () => {
    answer = { body: { answer: { hubs: [] } } };
    endpoint = await startAwsEndpoint(() => answer);
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint.config.endpoint);
    vi.stubEnv('AWS_REGION', 'local');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await endpoint.close();
  });
  const ask = invokeOperation;
  const path = (name: string) => `POST /2015-03-31/functions/${name}/invocations`;

  it('answers a query with run-query, which does not receive the caller', async () => {
    expect(await ask('staging')('listHubs', {}, alice)).toEqual({ hubs: [] });
    expect(endpoint.calls).toEqual([
      { operation: path('staging-run-query'), input: { operation: 'listHubs', input: {} } },
    ]);
  });

  it('carries out a command with run-command, which receives the caller', async () => {
    await ask('staging')('resumeHub', { hub: 'karmada' }, alice);
    const input = { operation: 'resumeHub', input: { hub: 'karmada' }, by: alice };
    expect(endpoint.calls).toEqual([{ operation: path('staging-run-command'), input }]);
  });

  it('names the user of the shell if the command has no other caller', async () => {
    await ask('staging')('resumeHub', { hub: 'karmada' });
    expect(endpoint.calls[0]?.input.by).toEqual({ source: 'claimed', name: userInfo().username });
  });

  it('has no practice clusters', async () => {
    const fault = { retryClass: 'terminal', reason: 'UnknownOperation' };
    const message = 'a deployment has no practice clusters; name a local run with --api';
    await expect(ask('staging')('failCluster', { cluster: 'member1' })).rejects.toMatchObject({ ...fault, message });
    expect(endpoint.calls).toEqual([]);
  });

  it.each([
    [404, 'terminal'],
    [503, 'retryable'],
  ])('passes on a rejection with status %i as a %s Fault', async (status, retryClass) => {
    answer = { body: { error: { status, reason: 'UnknownHub', error: 'there is no hub x' } } };
    const fault = { retryClass, reason: 'UnknownHub', message: 'there is no hub x' };
    await expect(ask('staging')('listHubs', {})).rejects.toMatchObject(fault);
  });

  it('states how to name another one if it does not exist', async () => {
    answer = { status: 404, error: 'ResourceNotFoundException' };
    const message =
      'there is no deployment staging in this account and region; name another with --deployment, or another region with AWS_REGION';
    const fault = { retryClass: 'terminal', reason: 'UnknownDeployment', message };
    await expect(ask('staging')('listHubs', {})).rejects.toMatchObject(fault);
  });

  it('fails with a retryable Fault that names the function if the function crashed', async () => {
    answer = { headers: { 'x-amz-function-error': 'Unhandled' }, body: { errorMessage: 'out of memory' } };
    const message = 'function staging-run-query failed; see its log';
    const fault = { retryClass: 'retryable', reason: 'FunctionError', message };
    await expect(ask('staging')('listHubs', {})).rejects.toMatchObject(fault);
  });

  it.each([
    ['a command once', 'resumeHub', 1],
    ['a query as often as the SDK does', 'listHubs', 3],
  ] as const)('sends %s where Lambda answers with a server error', async (_, name, times) => {
    answer = { status: 500, error: 'ServiceException' };
    const sent = ask('staging')(name, { hub: 'karmada' });
    await expect(sent).rejects.toMatchObject({ retryClass: 'retryable', reason: 'ServiceException' });
    await expect(sent).rejects.toThrow(/^Lambda \(staging-(run-query|run-command)\): ServiceException: /);
    expect(endpoint.calls).toHaveLength(times);
  });
});
