import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { estimatorFault } from '../../../shared/adapters/scheduler-estimator/estimator-fault.ts';
import { onceMore } from '../../../shared/adapters/scheduler-estimator/once-more.ts';

const closed = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
const cut = new ConnectError('Premature close', Code.Unknown, undefined, undefined, closed);
const refused = new ConnectError('no', Code.PermissionDenied);

/** Throws these, one a call, and answers then. */
function throwing(...faults: readonly Error[]): { readonly call: () => Promise<string>; calls: number } {
  const state = {
    calls: 0,
    call: async () => {
      const fault = faults[state.calls++];
      if (fault) throw fault;
      return 'answered';
    },
  };
  return state;
}

describe('a question to an estimator', () => {
  it('is asked once more where its stream was closed under it', async () => {
    const asked = throwing(cut);
    expect(await onceMore(asked.call)).toBe('answered');
    expect(asked.calls).toBe(2);
  });

  it('is not asked a third time, and the estimator counts as not reached', async () => {
    const asked = throwing(cut, cut);
    const thrown = await onceMore(asked.call).catch((fault: unknown) => fault);
    expect(asked.calls).toBe(2);
    const about = { cluster: 'member1', address: 'there', timeoutMs: 1000 };
    expect(estimatorFault(thrown, about)).toMatchObject({ verdict: 'retryable', reason: 'EstimatorUnreachable' });
  });

  it('that is refused is asked once', async () => {
    const asked = throwing(refused);
    await expect(onceMore(asked.call)).rejects.toBe(refused);
    expect(asked.calls).toBe(1);
  });
});
