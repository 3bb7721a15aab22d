/** Decides whether what `evenkeel hub manifests` prints for a hub is there, and as it is printed. */
import { type Finding, fail, ok, warn } from './finding.ts';

/** What became of one object: there as printed, or different at a path, or not there. */
export type Looked =
  | { readonly is: 'same' | 'missing' | 'unserved' | 'unreadable'; readonly name: string }
  | { readonly is: 'different'; readonly name: string; readonly path: string };

export interface PartLooked {
  readonly part: string;
  /** What it is good for: "refuses invalid rebalancers". */
  readonly does: string;
  /** What Evenkeel cannot do without, or only does better with. */
  readonly needed: boolean;
  readonly objects: readonly Looked[];
  /** The other way to the same end, where there is one. */
  readonly instead?: { readonly part: string; readonly objects: readonly Looked[] } | undefined;
}

export function judgePart(looked: PartLooked, apply: (part: string) => string): Finding {
  const { part, does, needed, objects, instead } = looked;
  const all = (of: readonly Looked[], ...states: readonly Looked['is'][]) => of.every(({ is }) => states.includes(is));
  if (all(objects, 'same')) return ok(part, `${does}; as printed`);
  if (instead !== undefined && all(instead.objects, 'same')) return ok(instead.part, `${does}; as printed`);
  const unreadable = objects.find(({ is }) => is === 'unreadable');
  if (unreadable !== undefined)
    return warn(part, `you may not read ${unreadable.name}`, 'run this with the rights of an administrator');
  const judge = needed ? fail : warn;
  if (all(objects, 'unserved')) {
    if (instead !== undefined)
      return judge(part, `the hub serves no such policies, and nothing ${does}`, apply(instead.part));
    return ok(part, 'the hub has nothing of the kind; nothing to set');
  }
  const missing = objects.filter(({ is }) => is === 'missing' || is === 'unserved');
  if (missing.length === objects.length) return judge(part, `is not there: nothing ${does}`, apply(part));
  if (missing.length > 0) return judge(part, `lacks ${missing.map(({ name }) => name).join(', ')}`, apply(part));
  const [other] = objects.flatMap((each) => (each.is === 'different' ? [each] : []));
  return warn(part, `${other?.name ?? ''} differs from what is printed, at ${other?.path ?? ''}`, apply(part));
}
