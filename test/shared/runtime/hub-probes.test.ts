import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import { HubProbes } from '../../../shared/runtime/hub-probes.ts';

/** A hub that answers when the test resolves its requests. */
function hubs() {
  const requests: PromiseWithResolvers<undefined>[] = [];
  const identify = () => {
    const request = Promise.withResolvers<undefined>();
    requests.push(request);
    return request.promise;
  };
  const hub = { identify, serverTime: 7000 } as unknown as Hub;
  return { requests, context: { hubs: { open: async () => hub }, now: () => 7500 } };
}

it('a hub without a response is reported after the timeout, and gets no second request meanwhile', async () => {
  const { requests, context } = hubs();
  const probes = new HubProbes(20);
  expect(await probes.of('eu', context)).toMatchObject({ error: 'no response in 0.02 s' });
  expect(await probes.of('eu', context)).toMatchObject({ error: 'no response in 0.02 s' });
  expect(requests).toHaveLength(1);
  requests[0]?.resolve(undefined);
  await setImmediate();
  const next = probes.of('eu', context);
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.resolve(undefined);
  expect(await next).toEqual({ sent: 7500, received: 7500, serverTime: 7000 });
});

it('the error of a request is reported, with the cause of the hub', async () => {
  const { requests, context } = hubs();
  const probe = new HubProbes().of('eu', context);
  await expect.poll(() => requests.length).toBe(1);
  requests[0]?.reject(new Error('connect ECONNRESET'));
  expect((await probe).error).toContain('connect ECONNRESET');
});

it('a hub that cannot be opened is reported as its error', async () => {
  const open = () => Promise.reject(new Error('no connection'));
  expect((await new HubProbes().of('eu', { hubs: { open }, now: () => 0 })).error).toContain('no connection');
});
