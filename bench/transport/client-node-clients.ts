/** The client library in the transport benchmark, in two variants: as shipped, and with reused connections. */
import type { Agent } from 'node:https';
import { CustomObjectsApi, KubeConfig, PatchStrategy, setHeaderOptions } from 'client-node-2';
import type { BenchClient, Page, Target } from './client.ts';
import { countPages, GROUP, PAGE_SIZE, PLURAL, trigger, VERSION } from './client.ts';

export function openAsShipped(target: Target): BenchClient {
  return clientOf(load(target), target);
}

/**
 * The library creates a dispatcher, and with it a TLS connection, for every request. This patches the private method that creates it;
 * a new release may break the patch without an error.
 */
export function openShared(target: Target): BenchClient {
  const config = load(target);
  const make = Reflect.get(config, 'createDispatcher') as (...given: unknown[]) => Agent;
  let kept: Agent | undefined;
  Reflect.set(config, 'createDispatcher', (...given: unknown[]) => (kept ??= make.apply(config, given)));
  return clientOf(config, target);
}

function load({ kubeconfig }: Target): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  return config;
}

function clientOf(config: KubeConfig, { namespace }: Target): BenchClient {
  const api = config.makeApiClient(CustomObjectsApi);
  const bindings = { group: GROUP, version: VERSION, namespace, plural: PLURAL };
  const asMergePatch = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  return {
    patch: async (name, triggeredAt) => {
      await api.patchNamespacedCustomObject({ ...bindings, name, body: trigger(triggeredAt) }, asMergePatch);
    },
    list: () =>
      countPages(async (token) => {
        const page = { limit: PAGE_SIZE, ...(token !== '' && { _continue: token }) };
        return (await api.listNamespacedCustomObject({ ...bindings, ...page })) as Page;
      }),
  };
}
