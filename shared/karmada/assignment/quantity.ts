/** Kubernetes quantities ("500m", "1Gi", "2e3"), read exactly and rounded up as the API's own arithmetic does. */
import * as z from 'zod/mini';
import { ownValue } from '../../core/own-value.ts';

const suffixes: Readonly<Record<string, readonly [base: bigint, exponent: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  '': [10n, 0],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [2n, 10],
  Mi: [2n, 20],
  Gi: [2n, 30],
  Ti: [2n, 40],
  Pi: [2n, 50],
  Ei: [2n, 60],
};

const form = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:([eE])([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/;

/** The quantity in thousandths, rounded up; undefined if the text is invalid. "100m" is 100, "1.5" is 1500, "0.1m" is 1, ".5" is 500. */
export function quantityMilli(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', scientific, power = '0', suffix = ''] = match;
  const [base, exponent] = scientific ? [10n, Number(power)] : (suffixes[suffix] ?? [10n, 0]);
  let numerator = BigInt(whole + fraction) * 1000n;
  let denominator = 10n ** BigInt(fraction.length);
  if (exponent >= 0) numerator *= base ** BigInt(exponent);
  else denominator *= base ** BigInt(-exponent);
  const up = (numerator + (sign === '-' ? 0n : denominator - 1n)) / denominator;
  return Number(sign === '-' ? -up : up);
}

/** The quantity in whole units, rounded up. "100m" is 1, "1Gi" is 1073741824. */
export function quantityValue(text: string): number | undefined {
  const milli = quantityMilli(text);
  return milli === undefined ? undefined : Math.ceil(milli / 1000);
}

/** A resource list: quantities by resource name. A number without quotes is a quantity too. */
export const quantityMap = z.record(
  z.string(),
  z.pipe(
    z.union([z.string(), z.number()]),
    z.transform((quantity) => String(quantity)),
  ),
);

export type Quantities = Readonly<Record<string, string>>;

/** Amounts by resource, in the units of amountOf; `pods` among them. */
export type Amounts = ReadonlyMap<string, number>;

/**
 * The amount of a resource in its unit: thousandths of a core for cpu, whole units for all others, as in
 * Karmada's general estimator. 0 if it is absent or invalid.
 */
export function amountOf(resource: string, quantities: Quantities | null | undefined): number {
  const text = ownValue(quantities, resource);
  if (text === undefined) return 0;
  return (resource === 'cpu' ? quantityMilli(text) : quantityValue(text)) ?? 0;
}
