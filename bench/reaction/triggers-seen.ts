/** Whose triggers were seen on bindings, and when: by a watch of their metadata, which names the rebalancer. */

import { TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import type { Transport } from '../../shared/kubernetes/client/transport.ts';
import { openWatch } from '../bindings.ts';

const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const SILENT_MS = 120_000;

export interface SeenTriggers {
  /** By the rebalancer's name: a moment a binding, in the order of their coming. */
  readonly at: ReadonlyMap<string, readonly number[]>;
  close(): void;
}

export async function watchTriggers(transport: Transport, namespace: string): Promise<SeenTriggers> {
  const ended = new AbortController();
  const text = await openWatch(transport, namespace, { accept: METADATA, signal: ended.signal, silentMs: SILENT_MS });
  const at = new Map<string, number[]>();
  const read = async () => {
    let rest = '';
    for await (const part of text) {
      const now = performance.now();
      const lines = `${rest}${part}`.split('\n');
      rest = lines.pop() ?? '';
      for (const name of lines.flatMap(rebalancerIn)) at.set(name, [...(at.get(name) ?? []), now]);
    }
  };
  read().catch((thrown: unknown) => {
    if (!ended.signal.aborted) console.error(`the watch of the bindings ended: ${String(thrown)}`);
  });
  return { at, close: () => ended.abort() };
}

/** Of a line of the watch: the rebalancer that wrote last on the binding. */
export function rebalancerIn(line: string): readonly string[] {
  if (line === '') return [];
  const { type, object } = JSON.parse(line) as {
    type: string;
    object: { metadata: { annotations?: Readonly<Record<string, string>> } };
  };
  const name = object.metadata.annotations?.[TRIGGERED_BY]?.split('/')[0];
  return type === 'MODIFIED' && name !== undefined ? [name] : [];
}
