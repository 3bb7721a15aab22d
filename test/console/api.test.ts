import { describe, expect, it } from 'vitest';
import { AskError, requestOf } from '../../console/api.ts';
import { operationPaths } from '../../console/operation-paths.ts';
import type { Operation } from '../../shared/operator/operation.ts';
import { operations } from '../../shared/operator/operations.ts';

describe('the page’s paths', () => {
  it('are those of the table of operations, all of them', () => {
    const wanted = Object.entries(operations as Readonly<Record<string, Operation>>).map(([name, { kind, path }]) => [
      name,
      [kind === 'question' ? 'GET' : 'POST', path],
    ]);
    expect(operationPaths).toEqual(Object.fromEntries(wanted));
  });
});

describe('a request of the page', () => {
  it('puts the fields of the path into it, and the others into the query', () => {
    expect(requestOf('getTask', { hub: 'practice', name: 'a/b', from: 500 })).toEqual({
      method: 'GET',
      url: 'api/hubs/practice/tasks/a%2Fb?from=500',
    });
    expect(requestOf('listDeadLetters', { queue: undefined })).toEqual({ method: 'GET', url: 'api/dead-letters' });
  });

  it('puts the fields of an order into its body', () => {
    expect(requestOf('pauseHub', { hub: 'practice', reason: 'upgrade' })).toEqual({
      method: 'POST',
      url: 'api/hubs/practice/pause',
      body: '{"reason":"upgrade"}',
    });
    expect(requestOf('resumeHub', { hub: 'practice' })).toMatchObject({ url: 'api/hubs/practice/resume', body: '{}' });
  });
});

describe('an ask that failed', () => {
  it('is a lost connection when nobody answered or a proxy did', () => {
    expect([undefined, 502, 504].map((status) => new AskError('', status).isLostConnection)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('is a refusal when the API answered', () => {
    expect([400, 404, 409, 500, 503].map((status) => new AskError('', status).isLostConnection)).toEqual(
      Array(5).fill(false),
    );
  });
});
