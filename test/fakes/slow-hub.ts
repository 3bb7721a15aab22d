/** The hub of a world as the deployed client reaches it, over a network on which every answer takes its time. */

import { Watches } from '../../local/practice-hub/api/watches.ts';
import { Fault, HUB_UNREACHABLE } from '../../shared/core/fault.ts';
import { settingDefinitions } from '../../shared/core/settings.ts';
import { ConcurrencyLimiter } from '../../shared/kubernetes/client/concurrency-limiter.ts';
import { LimitedHubClient } from '../../shared/kubernetes/client/hub-client.ts';
import { KubernetesHub } from '../../shared/kubernetes/client/kubernetes-hub.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../shared/kubernetes/client/transport.ts';
import { timeLeft } from '../../shared/runtime/moment.ts';
import { ApiWire, rawOf, responseOf } from '../simulation/system/api-wire.ts';
import { watchStream } from './watch-stream.ts';
import type { World } from './world.ts';

/** Answers a request otherwise than the hub would, which does it when `answer` is called. */
export type Answering = (request: ApiRequest, answer: () => ApiResponse) => ApiResponse;

export interface Slowness {
  readonly latencyMs: number;
  readonly inFlight?: number;
  /** The maximum of objects in a page, whatever the limit of a request. */
  readonly perPage?: number;
  readonly answering?: Answering;
}

/** Has the world's functions call its hub this way from now on. Returns the requests that are sent. */
export function slowDown(world: World, slowness: Slowness): ApiRequest[] {
  const {
    latencyMs,
    inFlight = settingDefinitions.hubInFlight.default,
    perPage,
    answering = (_, answer) => answer(),
  } = slowness;
  const { clock } = world;
  const sent: ApiRequest[] = [];
  const paged = (request: ApiRequest): ApiRequest =>
    perPage === undefined ? request : { ...request, path: request.path.replace(/limit=\d+/, `limit=${perPage}`) };
  const watches = new Watches(world.store);
  const wire = new ApiWire(world.store, () => clock.now());
  const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  const transport: Transport = {
    async send(request, atMost = Number.POSITIVE_INFINITY) {
      sent.push(request);
      const timeout = Math.min(atMost, settingDefinitions.hubTimeoutSeconds.default * 1000);
      await wait(Math.min(latencyMs / 2, timeout));
      const response = answering(request, () => responseOf(wire.answer(rawOf(paged(request)))));
      await wait(Math.max(0, Math.min(latencyMs / 2, timeout - latencyMs / 2)));
      if (latencyMs > timeout) throw new Fault('retryable', 'no answer in time', { reason: HUB_UNREACHABLE });
      return response;
    },
    stream: async (request) => {
      sent.push(request);
      return watchStream(request, world.store, watches);
    },
    close: () => undefined,
  };
  const limiter = new ConcurrencyLimiter({ max: inFlight, now: () => clock.now(), wait, timeLeft });
  const onUnreadable = (fault: Fault) => {
    throw fault;
  };
  world.hubs.opened(
    new KubernetesHub('karmada', { client: new LimitedHubClient({ transport, limiter }), onUnreadable }),
  );
  return sent;
}
