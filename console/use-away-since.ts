/** Remembers since when each hub does not answer, as far as this page has seen it. */
import { useRef } from 'preact/hooks';
import type { HubSummary } from '../shared/console-api/operations/hubs.ts';

/** Hubs that answered before: since when they do not. A hub that never answered on this page has no entry. */
export function useAwaySince(observed: readonly HubSummary[]): ReadonlyMap<string, number> {
  const answered = useRef(new Set<string>());
  const since = useRef(new Map<string, number>());
  for (const { name, reach } of observed) {
    if (reach.state !== 'Unreachable') {
      answered.current.add(name);
      since.current.delete(name);
    } else if (answered.current.has(name) && !since.current.has(name)) since.current.set(name, Date.now());
  }
  return since.current;
}
