import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { onOperation, operationTask } from '../../../shared/console-api/operation-task.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { type Line, recording } from '../../fakes/telemetry.ts';

const invocation = { functionName: 'operator', awsRequestId: '1' } as Context;

function commands(redrive: () => Promise<{ redriven: number }> = async () => ({ redriven: 3 })) {
  const lines: Line[] = [];
  const nothing = async () => {
    throw new Error('not of this test');
  };
  const task = operationTask<'command', object, undefined>({
    kind: 'command',
    remember: () => undefined,
    answers: {
      redriveDeadLetters: redrive,
      createRebalancer: nothing,
      drainCluster: nothing,
      uncordonCluster: nothing,
      pauseHub: async ({ reason }) => ({
        paused: { since: '2026-11-22T08:00:00Z', reason },
        withinSeconds: 60,
        released: 0,
      }),
      resumeHub: nothing,
      resyncHub: nothing,
      registerHub: nothing,
      setHub: nothing,
      removeHub: nothing,
    },
  });
  const context = {
    settings: parseSettings({}),
    telemetry: recording(lines),
    now: () => 0,
    newId: () => 'id',
    timeLeft: () => Number.POSITIVE_INFINITY,
  };
  const handler = onOperation(task, {}, { context: () => context });
  return {
    lines,
    call: (operation: string, input?: unknown, by?: unknown) => handler({ operation, input, by }, invocation),
  };
}

describe('an operator call', () => {
  it('is answered, and a command is logged with its input', async () => {
    const { call, lines } = commands();
    expect(await call('redriveDeadLetters', { queue: 'resync' })).toEqual({ answer: { redriven: 3 } });
    expect(lines).toEqual([
      { code: 'EK500', fields: { operation: 'redriveDeadLetters', by: 'claimed:unknown', queue: 'resync' } },
    ]);
  });

  it('is logged with its caller, also if it is rejected', async () => {
    const { call, lines } = commands();
    const by = { source: 'console', name: 'alice@example.com' };
    await call('redriveDeadLetters', {}, by);
    await call('redriveDeadLetters', { queue: 7 }, { source: 'claimed', name: 'bob' });
    expect(lines.map(({ code, fields }) => [code, fields.by])).toEqual([
      ['EK500', 'console:alice@example.com'],
      ['EK501', 'claimed:bob'],
    ]);
  });

  it('sets default values', async () => {
    const { call } = commands();
    expect(await call('pauseHub', { hub: 'karmada' })).toMatchObject({ answer: { paused: { reason: '' } } });
  });

  it('names the field that is wrong', async () => {
    const { call } = commands();
    expect(await call('pauseHub', { hub: 'No Hub' })).toEqual({
      error: {
        status: 400,
        reason: 'InvalidInput',
        error: 'hub: is not a hub name (a DNS label of at most 40) (of pauseHub)',
      },
    });
  });

  it.each([
    [{}, 'hub: must be a string (of pauseHub)'],
    [{ hub: 1 }, 'hub: must be a string (of pauseHub)'],
    ['karmada', 'the input: must be an object (of pauseHub)'],
    [{ hub: 'karmada', reason: 'x'.repeat(301) }, 'reason: must have at most 300 characters (of pauseHub)'],
  ])('reports what is wrong with %j', async (input, error) => {
    expect(await commands().call('pauseHub', input)).toMatchObject({ error: { status: 400, error } });
  });

  it.each(['listHubs', 'toString', '__proto__', 'nothing'])('does not answer %s, which is no command', async (name) => {
    const { call } = commands();
    expect(await call(name)).toMatchObject({ error: { status: 404, reason: 'UnknownOperation' } });
  });

  it('reports to the caller what failed, and whether to retry', async () => {
    const terminal = new Fault('terminal', 'there is no hub x', { reason: 'UnknownHub' });
    const { call, lines } = commands(() => Promise.reject(terminal));
    expect(await call('redriveDeadLetters', {})).toMatchObject({
      error: { status: 404, reason: 'UnknownHub', error: 'there is no hub x' },
    });
    expect(lines.map(({ code }) => code)).toEqual(['EK501']);
    const passing = commands(() => Promise.reject(new Error('socket hang up')));
    expect(await passing.call('redriveDeadLetters', {})).toMatchObject({ error: { status: 503 } });
  });
});
