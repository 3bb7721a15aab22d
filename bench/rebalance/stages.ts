/** The stages of a rebalance by Evenkeel, from the log of the local run. */

/** The used fields of a line of the local run's log. */
export interface LogLine {
  readonly time: string;
  readonly code: string;
  readonly event?: string;
  readonly events?: number;
  readonly inFlight?: number;
}

/** Milliseconds since the creation of the rebalancer. */
export interface Stages {
  /** The hook received the audit event: the time before is the API server's batch wait. */
  readonly received: number;
  readonly planned: number;
  /** The last chunk's triggers were on their bindings, and its results saved. */
  readonly triggered: number;
  readonly reported: number;
}

/** Undefined if the log lacks a stage. */
export function stagesOf(lines: readonly LogLine[], askedAt: number): Stages | undefined {
  const since = lines.flatMap((line) => {
    const ms = Date.parse(line.time) - askedAt;
    return ms < 0 ? [] : [{ ...line, ms }];
  });
  const done = (event: string) => since.filter((line) => line.code === 'EK000' && line.event === event);
  const received = since.find(({ code, events = 0 }) => code === 'EK100' && events > 0)?.ms;
  const planned = done('WorkloadRebalancerChanged').at(0)?.ms;
  // A single chunk is triggered by the invocation that planned it.
  const triggered = done('RebalanceChunkPlanned').at(-1)?.ms ?? planned;
  const reported = done('RebalanceFinished').at(-1)?.ms;
  if (received === undefined || planned === undefined || triggered === undefined || reported === undefined)
    return undefined;
  return { received, planned, triggered, reported };
}

/** The limits of requests in flight after each reduction since a time. */
export function cutsOf(lines: readonly LogLine[], since: number): readonly number[] {
  return lines.flatMap(({ time, code, inFlight }) =>
    code === 'EK200' && inFlight !== undefined && Date.parse(time) >= since ? [inFlight] : [],
  );
}

export function parseLog(text: string): readonly LogLine[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as LogLine]));
}
