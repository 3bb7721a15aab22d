/** Statistics over the rounds of a benchmark. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The percentile by the nearest-rank method. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** Rounds to three decimals, and to three significant digits below 1. */
export function rounded(value: number): number {
  return Math.abs(value) < 1 ? Number(value.toPrecision(3)) : Math.round(value * 1000) / 1000;
}

export function sizeText({ clusters, replicas }: { readonly clusters: number; readonly replicas: number }): string {
  return `${clusters.toLocaleString('en')} clusters and ${replicas.toLocaleString('en')} replicas`;
}
