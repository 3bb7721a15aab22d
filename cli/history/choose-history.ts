/** Decides which bindings a name may mean, and which time --since means. */
import { invalidOption } from '../../shared/core/fault.ts';
import { DAY, fromTimestamp, type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { namedWorkloads } from '../rebalance/named-workloads.ts';

/** For a name without a kind, in this order. */
const KINDS = ['deployment', 'statefulset', 'daemonset', 'job', 'cronjob'];

/** Possible keys of the binding, the likeliest first: of "web", "deployment/web", "deployment/shop/web", "web-deployment". */
export function bindingsNamed(text: string, namespace: string | undefined): readonly ObjectKey[] {
  const usual = 'default';
  if (text.includes('/'))
    return namedWorkloads([text], { given: namespace, usual }).flatMap(({ bindings }) => bindings);
  const names = [...KINDS.map((kind) => `${text}-${kind}`), text];
  return names.map((name) => ({ namespace: namespace ?? usual, name }));
}

const UNITS: Readonly<Record<string, number>> = { m: 60 * SECOND, h: 3600 * SECOND, d: DAY };

/** "30m", "24h", "7d", or a time in RFC 3339. */
export function timeSince(text: string, now: Instant): string {
  const [, digits = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const at = digits === '' ? fromTimestamp(text) : now - Number(digits) * (UNITS[unit] ?? Number.NaN);
  if (at !== undefined && at <= now) return toTimestamp(at);
  const why = at === undefined ? 'is no time' : 'is later than now';
  throw invalidOption(`--since ${text} ${why}; write 30m, 24h or 7d, or a time like 2026-11-22T08:00:00Z`);
}
