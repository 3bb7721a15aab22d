/** Formats numbers and times. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "4 s", "3 min", "2 h 05", "6 d": at most two units, so that a column stays narrow. */
export function durationOf(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / SECOND)) * SECOND;
  if (whole < MINUTE) return `${whole / SECOND} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${pad(Math.floor((whole % HOUR) / MINUTE))}`;
  return `${Math.floor(whole / DAY)} d`;
}

/** The age; "now" for a time slightly in the future, from a clock that is ahead. */
export function ageOf(time: string, now: number): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return '–';
  return now - at < SECOND ? 'now' : `${durationOf(now - at)} ago`;
}

/** The remaining time: "4:09", "2 h 05"; "due" if it is over. */
export function countdownTo(time: string, now: number): string {
  const left = Date.parse(time) - now;
  if (Number.isNaN(left)) return '–';
  if (left <= 0) return 'due';
  const whole = Math.ceil(left / SECOND);
  if (left < HOUR) return `${Math.floor(whole / 60)}:${pad(whole % 60)}`;
  return durationOf(left);
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}

/** "+3", "−2", and nothing for no change, so that a column shows only changes. */
export function signed(change: number): string {
  if (change === 0) return '';
  return change > 0 ? `+${change}` : `−${-change}`;
}

export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? word : many}`;
}

/** "Deployment shop/web", or "ClusterRole viewer" where there is no namespace. */
export function nameOf({ kind, namespace, name }: Readonly<Record<'kind' | 'namespace' | 'name', string>>): string {
  return `${kind} ${keyOf({ namespace, name })}`;
}

export function keyOf({ namespace, name }: Readonly<Record<'namespace' | 'name', string>>): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** As Karmada names the binding of a workload: "web-deployment". */
export function bindingOf({ kind, namespace, name }: Readonly<Record<'kind' | 'namespace' | 'name', string>>): {
  readonly namespace: string;
  readonly name: string;
} {
  return { namespace, name: `${name}-${kind}`.toLowerCase().replaceAll(':', '.') };
}

type ReplicaRecord = Readonly<Record<string, number>>;

/** "member1 0 → 4, member2 8 → 4": only what changes. */
export function movesText(current: ReplicaRecord, next: ReplicaRecord): string {
  return [...new Set([...Object.keys(current), ...Object.keys(next)])]
    .toSorted()
    .filter((name) => (current[name] ?? 0) !== (next[name] ?? 0))
    .map((name) => `${name} ${current[name] ?? 0} → ${next[name] ?? 0}`)
    .join(', ');
}
