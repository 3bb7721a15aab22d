/** Which features a hub is registered with, for functions that a resync or a change on the hub invokes. */
import { ResyncDue } from '../bus/catalogue.ts';
import type { InvocationContext, Outcome } from '../core/invocation.ts';
import type { Hubs } from '../kubernetes/hub.ts';
import { type HubFeature, hubFeatures } from '../kubernetes/hub-features.ts';

interface HubUse {
  readonly hub: string;
  readonly feature: HubFeature;
}

type Run<D, P> = (detail: D, ports: P, eventTypes: ReadonlySet<string>) => Promise<Outcome>;

/** Skips events that are only resyncs if the hub is registered without the feature: it needs no list then. `skip` is called instead. An event of a change is always handled. */
export function resyncedWith<D extends { readonly hub: string }, P extends { readonly hubs: Hubs }>(
  feature: HubFeature,
  run: Run<D, P>,
  skip: (detail: D, ports: P) => Promise<void> = async () => undefined,
): Run<D, P> {
  return async (detail, ports, eventTypes) => {
    const isResync = [...eventTypes].every((type) => type === ResyncDue.type);
    if (!isResync || (await ports.hubs.uses(detail.hub, feature))) return run(detail, ports, eventTypes);
    await skip(detail, ports);
    return { reason: `the hub is registered without ${hubFeatures[feature].flag}` };
  };
}

/** Reports an object of a feature that its hub is registered without: a lost event of it would not be found. */
export async function reportUse(
  { hub, feature, object }: HubUse & { readonly object: string },
  { hubs, telemetry }: Pick<InvocationContext, 'telemetry'> & { readonly hubs: Hubs },
): Promise<void> {
  if (await hubs.uses(hub, feature)) return;
  telemetry.outcome('EK204', { hub, feature, object, flag: hubFeatures[feature].flag });
}
