/** Which features a hub is registered with, for functions that a resync or a change on the hub invokes. */
import { ResyncDue } from '../bus/catalogue.ts';
import type { InvocationContext } from '../core/invocation.ts';
import type { Hubs } from '../kubernetes/hub.ts';
import { type HubFeature, hubFeatures } from '../kubernetes/hub-features.ts';

interface HubUse {
  readonly hub: string;
  readonly feature: HubFeature;
}

/** Why these events need no list of the hub: they are only resyncs, and the hub is registered without the feature. An event of a change is always handled. */
export async function whyNoResync(
  { hub, feature }: HubUse,
  hubs: Hubs,
  eventTypes: ReadonlySet<string>,
): Promise<string | undefined> {
  const isResync = [...eventTypes].every((type) => type === ResyncDue.type);
  if (!isResync || (await hubs.uses(hub, feature))) return undefined;
  return `the hub is registered without ${hubFeatures[feature].flag}`;
}

/** Reports an object of a feature that its hub is registered without: a lost event of it would not be found. */
export async function reportUse(
  { hub, feature, object }: HubUse & { readonly object: string },
  { hubs, telemetry }: Pick<InvocationContext, 'telemetry'> & { readonly hubs: Hubs },
): Promise<void> {
  if (await hubs.uses(hub, feature)) return;
  telemetry.outcome('EK204', { hub, feature, object, flag: hubFeatures[feature].flag });
}
