/** Evenkeel's two clients in the transport benchmark: the bare transport, and the hub port on it with the concurrency limiter and parsing, as the functions use it. */
import { connectHub } from '../../shared/adapters/kubernetes/connect-hub.ts';
import { type ApiRequest, createTransport } from '../../shared/adapters/kubernetes/transport.ts';
import { resourceBindings } from '../../shared/model/binding.ts';
import { parseSettings } from '../../shared/settings.ts';
import type { BenchClient, Page, Target } from './client.ts';
import { bindingPath, countPages, MERGE_PATCH, pageQuery, trigger } from './client.ts';

const silent = { outcome: () => {}, count: () => {}, begin: () => {} };

const TIMEOUT_MS = 10_000;

export function openTransport({ connection, namespace }: Target, inFlight: number): BenchClient {
  const transport = createTransport(connection, { maxSockets: inFlight, timeoutMs: TIMEOUT_MS });

  async function send(request: ApiRequest): Promise<unknown> {
    const { status, body } = await transport.send(request);
    if (status !== 200) throw new Error(`${request.method} ${request.path} was answered ${status}`);
    return body;
  }

  return {
    patch: async (name, triggeredAt) => {
      const path = bindingPath(namespace, name);
      await send({ method: 'PATCH', path, body: trigger(triggeredAt), contentType: MERGE_PATCH });
    },
    list: () =>
      countPages(
        async (token) => (await send({ method: 'GET', path: `${bindingPath(namespace)}${pageQuery(token)}` })) as Page,
      ),
  };
}

export function openHub({ connection, namespace }: Target, inFlight: number): BenchClient {
  const hub = connectHub('bench', connection, {
    settings: parseSettings({ hubInFlight: inFlight }),
    telemetry: silent,
  });
  return {
    patch: async (name, triggeredAt) => {
      const written = await hub.patch(resourceBindings, { namespace, name }, { merge: trigger(triggeredAt) });
      if (written.result !== 'done') throw new Error(`the patch of ${name} is ${written.result}`);
    },
    list: async (names) =>
      (
        await hub.getMany(
          resourceBindings,
          names.map((name) => ({ namespace, name })),
        )
      ).size,
  };
}
