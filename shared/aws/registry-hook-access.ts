/** Access control of the hook by the records of hubs: digests of the callers' credentials, and our account's name. */
import type { InvocationContext } from '../core/invocation.ts';
import type { Caller, HookAccess } from '../kubernetes/hook-access.ts';
import { hasCaller, hasReviewKey } from '../kubernetes/hook-callers.ts';
import type { HubFeature } from '../kubernetes/hub-features.ts';
import { isActive } from '../kubernetes/hub-record.ts';
import type { HubRecord } from '../kubernetes/hub-registry.ts';
import type { Environment } from './client-config.ts';
import { type HubRecords, hubRecords } from './hub-records.ts';

export class RegistryHookAccess implements HookAccess {
  readonly #records: Pick<HubRecords, 'of'>;

  constructor(records: Pick<HubRecords, 'of'>) {
    this.#records = records;
  }

  async mayRaiseEvents(hub: string, caller: Caller): Promise<boolean> {
    const record = await this.#active(hub);
    return record !== undefined && hasCaller(record.callers, caller);
  }

  async holdsReviewKey(hub: string, key: string): Promise<boolean> {
    const record = await this.#active(hub);
    return record !== undefined && hasReviewKey(record.callers, key);
  }

  async accountOf(hub: string): Promise<string | undefined> {
    return (await this.#active(hub))?.account;
  }

  async uses(hub: string, feature: HubFeature): Promise<boolean> {
    return (await this.#active(hub))?.features.includes(feature) ?? false;
  }

  async #active(hub: string): Promise<HubRecord | undefined> {
    const record = await this.#records.of(hub);
    return isActive(record) ? record : undefined;
  }
}

export function awsHookAccess(context: InvocationContext, environment: Environment): HookAccess {
  return new RegistryHookAccess(hubRecords(context, environment));
}
