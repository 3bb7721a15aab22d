/** Where the time of a rebalance of ours went, by what the local run logged of it. */

/** A line of the local run's log, as far as it is looked at. */
export interface LogLine {
  readonly time: string;
  readonly code: string;
  readonly event?: string;
  readonly events?: number;
  readonly inFlight?: number;
}

/** Milliseconds since the rebalancer was asked for. */
export interface Stages {
  /** The API server's audit event was at the hook: what it waited for before is the API server's batch. */
  readonly heard: number;
  readonly planned: number;
  /** The last chunk's triggers were on their bindings, and its results kept. */
  readonly triggered: number;
  readonly reported: number;
}

/** Undefined where the log has not all of them. */
export function stagesOf(lines: readonly LogLine[], askedAt: number): Stages | undefined {
  const since = lines.flatMap((line) => {
    const ms = Date.parse(line.time) - askedAt;
    return ms < 0 ? [] : [{ ...line, ms }];
  });
  const done = (event: string) => since.filter((line) => line.code === 'EK000' && line.event === event);
  const heard = since.find(({ code, events = 0 }) => code === 'EK100' && events > 0)?.ms;
  const planned = done('WorkloadRebalancerChanged').at(0)?.ms;
  const triggered = done('RebalanceChunkPlanned').at(-1)?.ms;
  const reported = done('RebalanceFinished').at(-1)?.ms;
  if (heard === undefined || planned === undefined || triggered === undefined || reported === undefined)
    return undefined;
  return { heard, planned, triggered, reported };
}

/** How many requests were let go at once, whenever that was cut, from a moment on. */
export function cutsOf(lines: readonly LogLine[], since: number): readonly number[] {
  return lines.flatMap(({ time, code, inFlight }) =>
    code === 'EK200' && inFlight !== undefined && Date.parse(time) >= since ? [inFlight] : [],
  );
}

export function parseLog(text: string): readonly LogLine[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as LogLine]));
}
