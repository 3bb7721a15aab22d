/** What a hub answers, as the cases of the contract compare it. */
import type { Body } from './client.ts';

export interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

/** "Name READY (MESSAGE)": what only `-o wide` shows stands in brackets. */
export function columnsOf(definitions: Table['columnDefinitions']): string {
  return definitions.map(({ name, priority }) => (priority > 0 ? `(${name})` : name)).join(' ');
}

interface Cause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** Those that a user can act on. */
export function ownCauses({ details }: Body): readonly Cause[] {
  return ((details?.causes ?? []) as readonly Cause[]).filter(({ field }) => field !== '<nil>');
}

/** What kube-apiserver 1.34 and older put before the message of a CEL rule; 1.35 does not. */
const TYPE_OF_VALUE = 'Invalid value: "object": ';

/** In an order of their own: a real API server has them in any. */
export function causesOf(body: Body): readonly string[] {
  return ownCauses(body)
    .map(({ field, message }) => `${field}: ${message.replace(TYPE_OF_VALUE, 'Invalid value: ')}`)
    .sort();
}
