import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { onceMore } from '../../../shared/estimator/closed-stream.ts';
import { estimatorFault } from '../../../shared/estimator/estimator-fault.ts';

const closed = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
const cut = new ConnectError('Premature close', Code.Unknown, undefined, undefined, closed);
const rejected = new ConnectError('no', Code.PermissionDenied);

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

describe('an estimator request', () => {
  it('is sent once more if its stream was closed', async () => {
    const asked = throwing(cut);
    expect(await onceMore(asked.call)).toBe('answered');
    expect(asked.calls).toBe(2);
  });

  it('is not sent a third time, and the estimator counts as unreachable', async () => {
    const asked = throwing(cut, cut);
    const thrown = await onceMore(asked.call).catch((fault: unknown) => fault);
    expect(asked.calls).toBe(2);
    const about = { cluster: 'member1', address: 'there', timeoutMs: 1000 };
    expect(estimatorFault(thrown, about)).toMatchObject({ retryClass: 'retryable', reason: 'EstimatorUnreachable' });
  });

  it('is sent once if it is rejected', async () => {
    const asked = throwing(rejected);
    await expect(onceMore(asked.call)).rejects.toBe(rejected);
    expect(asked.calls).toBe(1);
  });
});
