/** Records of hubs for tests. */
import { callersOf } from '../../shared/kubernetes/hook-callers.ts';
import type { NewHubRecord } from '../../shared/kubernetes/hub-registry.ts';

export function hubRecord(name: string, over: Partial<NewHubRecord> = {}): NewHubRecord {
  const callers = callersOf(name, { hookTokens: [] });
  return { name, state: 'Active', features: [], server: `https://${name}.example:6443`, callers, ...over };
}
