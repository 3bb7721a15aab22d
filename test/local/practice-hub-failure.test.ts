import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';

let hub: HubServer;
beforeEach(async () => {
  hub = await startHubServer({ port: 0 });
});
afterEach(() => hub.close());

const get = (timeoutMs = 5000) => fetch(`${hub.url}/version`, { signal: AbortSignal.timeout(timeoutMs) });

it('a practice hub that fails closes the connections of its requests, until it recovers', async () => {
  hub.fail({ ms: 60_000, hangs: false });
  await expect(get()).rejects.toThrow('fetch failed');
  hub.recover();
  expect((await get()).status).toBe(200);
});

it('a practice hub that hangs gives no response', async () => {
  hub.fail({ ms: 60_000, hangs: true });
  await expect(get(100)).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('a failure of a practice hub ends by itself', async () => {
  hub.fail({ ms: 20, hangs: false });
  await expect
    .poll(() =>
      get().then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
});
