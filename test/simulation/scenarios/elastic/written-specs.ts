/** The specs that users write into an ElasticWorkload. */
import { balances, type Transfer } from './parts.ts';

export function balanceOf({
  balance,
  transfer,
  hesitation,
}: {
  readonly balance: keyof typeof balances;
  readonly transfer: Transfer;
  readonly hesitation: number;
}): object {
  return { ...balances[balance], transfer, hesitationSeconds: hesitation };
}

/** Removes nulls: null in a patch is an absent field in an object. */
export function withoutNulls<T>(object: T): T {
  return JSON.parse(JSON.stringify(object, (_, value: unknown) => (value === null ? undefined : value))) as T;
}
