/** The hub's hook: publishes changes by other clients, as the audit policy for the features of the hub selects them. */
import { isDeepStrictEqual } from 'node:util';
import type { ApiStore } from '../../../local/practice-hub/store/object-store.ts';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import type { EvenkeelEvent } from '../../../shared/bus/event.ts';
import { kindsToReport, reportsStatus } from '../../../shared/bus/watched-kinds.ts';
import type { HubFeatures } from '../../../shared/kubernetes/hub-features.ts';
import { storeName } from '../../fakes/store-hub.ts';

export interface HookParts {
  readonly store: ApiStore;
  readonly hub: string;
  readonly isOurWrite: () => boolean;
  readonly publish: (event: EvenkeelEvent) => void;
}

export class Hook {
  isUp = true;
  readonly #parts: HookParts;

  constructor(parts: HookParts) {
    this.#parts = parts;
  }

  /** Starts the reports for these features of the hub. */
  reportFor(used: HubFeatures): void {
    const { store, isOurWrite } = this.#parts;
    const kinds = new Map(
      kindsToReport(used).map((kind) => [storeName({ group: kind.group, plural: kind.resource }), kind]),
    );
    store.onChange(({ plural, object, previous }) => {
      const kind = kinds.get(plural);
      if (!this.isUp || kind === undefined || isOurWrite()) return;
      const ofStatus = isOfStatus(object, previous);
      if (ofStatus && !reportsStatus(kind, used)) return;
      const { namespace = '', name } = object.metadata;
      const event = (ofStatus ? kind.status : kind)?.changed(this.#parts.hub, { namespace, name });
      if (event !== undefined) this.#parts.publish(event);
    });
  }
}

function isOfStatus(object: KubeObject, previous: KubeObject | undefined): boolean {
  return previous !== undefined && !isDeepStrictEqual(object.status, previous.status);
}
