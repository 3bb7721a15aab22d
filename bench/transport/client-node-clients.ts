/** The client library for the transport bench, twice: as it is shipped, and with its connections kept. */
import type { Agent } from 'node:https';
import { CustomObjectsApi, KubeConfig, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import type { BenchClient, Page, Target } from './client.ts';
import { countPages, GROUP, PAGE_SIZE, PLURAL, trigger, VERSION } from './client.ts';

export function openAsShipped(target: Target): BenchClient {
  return clientOf(load(target), target);
}

/**
 * The library makes a dispatcher, and with it a TLS connection, for every request. The method that makes it is private,
 * so this is a graft that a new release may undo without a word: part of the price of that client.
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
