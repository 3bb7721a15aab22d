/** Decides whether the objects that `evenkeel hub manifests` prints for a hub exist there unchanged. */
import { type Finding, fail, ok, warn } from './finding.ts';

/** The result for one object: as printed, different at a path, or missing. */
export type ComparedObject =
  | { readonly is: 'same' | 'missing' | 'unserved' | 'unreadable'; readonly name: string }
  | { readonly is: 'different'; readonly name: string; readonly path: string };

export interface ComparedPart {
  readonly part: string;
  /** The effect of the part: "rejects invalid rebalancers". */
  readonly does: string;
  /** Whether Evenkeel requires the part, or only benefits from it. */
  readonly needed: boolean;
  readonly objects: readonly ComparedObject[];
  /** The alternative part with the same effect, if there is one. */
  readonly instead?: { readonly part: string; readonly objects: readonly ComparedObject[] } | undefined;
}

export function checkPart(compared: ComparedPart, apply: (part: string) => string): Finding {
  const { part, does, needed, objects, instead } = compared;
  const all = (of: readonly ComparedObject[], ...states: readonly ComparedObject['is'][]) =>
    of.every(({ is }) => states.includes(is));
  if (all(objects, 'same')) return ok(part, `${does}; as printed`);
  if (instead !== undefined && all(instead.objects, 'same')) return ok(instead.part, `${does}; as printed`);
  const unreadable = objects.find(({ is }) => is === 'unreadable');
  if (unreadable !== undefined)
    return warn(part, `no permission to read ${unreadable.name}`, 'run this with the rights of an administrator');
  const report = needed ? fail : warn;
  if (all(objects, 'unserved')) {
    if (instead !== undefined)
      return report(part, `the hub does not serve such policies; nothing ${does}`, apply(instead.part));
    return ok(part, 'the hub has nothing of the kind; nothing to set');
  }
  const missing = objects.filter(({ is }) => is === 'missing' || is === 'unserved');
  if (missing.length === objects.length) return report(part, `not found: nothing ${does}`, apply(part));
  if (missing.length > 0) return report(part, `lacks ${missing.map(({ name }) => name).join(', ')}`, apply(part));
  const [other] = objects.flatMap((each) => (each.is === 'different' ? [each] : []));
  return warn(part, `${other?.name ?? ''} differs from what is printed, at ${other?.path ?? ''}`, apply(part));
}
