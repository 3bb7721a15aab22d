/** The policies for events over time, as they stand on the hub, and the events that they choose. */
import type { StoreChange } from '../../../../local/practice-hub/store/objects.ts';
import type { System } from '../../system/system.ts';
import type { EventLife } from './event-life.ts';
import { type Claim, isChosen, isConcerned } from './incidents.ts';
import type { Entry } from './parts.ts';
import { Timeline } from './timeline.ts';

export interface PolicyVersion {
  readonly entries: readonly Entry[];
  readonly isSuspended: boolean;
}

export interface PolicyHistory {
  readonly name: string;
  readonly createdAt: number;
  /** Undefined once it is deleted. */
  readonly versions: Timeline<PolicyVersion | undefined>;
}

export class KnownPolicies {
  readonly byUid = new Map<string, PolicyHistory>();
  readonly #system: System;
  readonly #life: EventLife;

  constructor(system: System, life: EventLife) {
    this.#system = system;
    this.#life = life;
    system.hub.store.onChange((change) => {
      if (change.plural === 'rebalancepolicies') this.#onPolicy(change);
    });
  }

  #onPolicy({ type, object }: StoreChange): void {
    const { uid, name } = object.metadata;
    const now = this.#system.clock.now();
    const known = this.byUid.get(uid) ?? { name, createdAt: now, versions: new Timeline() };
    this.byUid.set(uid, known);
    const { triggers, suspend } = (object.spec ?? {}) as {
      readonly triggers?: { readonly externalEvents?: readonly Entry[] };
      readonly suspend?: boolean;
    };
    const next = { entries: triggers?.externalEvents ?? [], isSuspended: suspend === true };
    const last = known.versions.last?.value;
    if (type === 'DELETED') known.versions.set(now, undefined);
    else if (JSON.stringify(last) !== JSON.stringify(next)) known.versions.set(now, next);
  }

  /** What versions of a policy choose at a cluster, as the cluster was meanwhile. */
  claims(
    versions: readonly (PolicyVersion | undefined)[],
    name: string,
    { from, to }: { readonly from: number; readonly to: number },
  ): readonly Claim[] {
    const places = this.#life.places.get(name)?.during(from, to) ?? [];
    const entries = versions.flatMap((version) => version?.entries ?? []);
    return [...this.#life.incidents.values()].flatMap((incident) =>
      entries.flatMap((entry) =>
        places.flatMap((at) =>
          at !== undefined && isChosen(incident, entry) && isConcerned(incident, entry, { name, at })
            ? [{ incident, entry, at }]
            : [],
        ),
      ),
    );
  }
}
