/** Lists what a resync of graceful reductions compares: bindings, and the policies that request reductions. */
import { isSameJson } from '../core/same-json.ts';
import { type ListedBindings, listAllBindings, listChangedBindings } from '../karmada/list-changed-bindings.ts';
import type { ResyncPosition } from '../karmada/resync-position.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { changesOf, listIfServed } from '../kubernetes/list-all.ts';
import { keyText } from '../kubernetes/object-key.ts';
import { type ReductionPolicy, reductionPolicies } from './reduction-policy.ts';

interface ListedPolicies {
  /** Those with reduction annotations, by keyText. */
  readonly policies: ReadonlyMap<string, ReductionPolicy>;
  /** By plural, as in a ResyncPosition. */
  readonly versions: Readonly<Record<string, string>>;
}

async function listReductionPolicies(hub: Hub): Promise<ListedPolicies> {
  const versions: Record<string, string> = {};
  const policies = new Map<string, ReductionPolicy>();
  for (const kind of reductionPolicies) {
    const onVersion = (version: string) => {
      versions[kind.plural] = version;
    };
    for (const policy of await listIfServed(hub, kind, ({ key }) => keyText(key), { onVersion }))
      if (policy.annotations !== undefined) policies.set(keyText(policy.key), policy);
  }
  return { policies, versions };
}

/** The policies of the position, with new versions. Undefined if one has changed, or the changes can't be followed. */
async function unchangedPolicies(
  hub: Hub,
  { versions: from, context }: Pick<ResyncPosition, 'versions' | 'context'>,
): Promise<ListedPolicies | undefined> {
  const policies = policiesIn(context);
  const changes = await changesOf(hub, reductionPolicies, from);
  if (changes === undefined) return undefined;
  const { versions } = changes;
  const isSame = ([key, policy]: readonly [string, ReductionPolicy | undefined]) =>
    isSameJson(policy?.annotations, policies.get(key)?.annotations);
  return [...changes.changed].every(isSame) ? { policies, versions } : undefined;
}

/** Bindings with the policies on which their reductions depend. */
export interface ListedReductions {
  readonly bindings: ListedBindings;
  readonly policies: ListedPolicies;
}

/** The bindings that changed since the position, or all without one, or if a policy or too much changed, or what is left of all. Undefined if the hub serves none. */
export async function listReductionsSince(
  hub: Hub,
  from: ResyncPosition | undefined,
): Promise<ListedReductions | undefined> {
  if (from?.rest !== undefined) return listRest(hub, from);
  return (from && (await listChanged(hub, from))) ?? (await listAll(hub));
}

/** The rest of all bindings, if the policies are as they were for the first ones; otherwise all. */
async function listRest(hub: Hub, from: ResyncPosition): Promise<ListedReductions | undefined> {
  const policies = await listReductionPolicies(hub);
  const isSame = contextOfPolicies(policies.policies) === from.context;
  const bindings = await listAllBindings(hub, isSame ? from : undefined);
  return bindings && { bindings, policies };
}

async function listChanged(hub: Hub, from: ResyncPosition): Promise<ListedReductions | undefined> {
  const [policies, bindings] = await Promise.all([unchangedPolicies(hub, from), listChangedBindings(hub, from)]);
  return policies && bindings && { bindings, policies };
}

async function listAll(hub: Hub): Promise<ListedReductions | undefined> {
  const bindings = await listAllBindings(hub);
  return bindings && { bindings, policies: await listReductionPolicies(hub) };
}

/** The policies as the context of a position. */
export function contextOfPolicies(policies: ReadonlyMap<string, ReductionPolicy>): string {
  return JSON.stringify([...policies.values()]);
}

function policiesIn(context: string): ReadonlyMap<string, ReductionPolicy> {
  if (context === '') return new Map();
  return new Map((JSON.parse(context) as ReductionPolicy[]).map((policy) => [keyText(policy.key), policy]));
}
