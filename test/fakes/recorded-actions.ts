/** Compares the requests that each method of a store sends with the actions that its grants cover. */
import { expect } from 'vitest';
import type { TableAction } from '../../shared/bus/table-actions.ts';
import type { SentRequest } from './strict-table.ts';

export class RecordedActions<Store extends object> {
  readonly #declared: Readonly<Record<string, readonly TableAction[]>>;
  readonly #seen = new Map<string, Set<string>>();
  #inFlight = 0;

  constructor(declared: Readonly<Record<keyof Store, readonly TableAction[]>>) {
    this.#declared = declared;
  }

  /** Requests of concurrent calls are not counted, because they belong to any of them. */
  of(store: Store, sent: readonly SentRequest[]): Store {
    const record = async (method: string, call: () => Promise<unknown>): Promise<unknown> => {
      const before = sent.length;
      let isAlone = this.#inFlight === 0;
      this.#inFlight += 1;
      try {
        return await call();
      } finally {
        isAlone &&= this.#inFlight === 1;
        this.#inFlight -= 1;
        const actions = this.#seen.get(method) ?? new Set();
        this.#seen.set(method, actions);
        if (isAlone)
          for (const { operation, request } of sent.slice(before))
            actions.add(request.IndexName === undefined ? operation : 'IndexQuery');
      }
    };
    return new Proxy(store, {
      get: (target, method: string) => {
        const value = Reflect.get(target, method) as unknown;
        if (typeof value !== 'function' || !Object.hasOwn(this.#declared, method)) return value;
        return (...args: unknown[]) => record(method, async () => Reflect.apply(value, target, args) as unknown);
      },
    });
  }

  /** Every declared method sent each of its actions at least once, and no other. */
  expectDeclared(): void {
    const seen = Object.keys(this.#declared).map((method) => [method, [...(this.#seen.get(method) ?? [])].sort()]);
    const declared = Object.entries(this.#declared).map(([method, actions]) => [method, actions.toSorted()]);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(declared));
  }
}
