/** What a process of this machine has cost, by Linux's own books: processor time and memory. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Of a second; Linux counts processor time in these on every machine it runs on. */
const TICKS = 100;

export interface Memory {
  readonly residentMiB: number;
  /** Since the peak was last forgotten. */
  readonly peakMiB: number;
}

/** Of all its threads. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

export function memory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (field: string) => Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
  return { residentMiB: mib('VmRSS'), peakMiB: mib('VmHWM') };
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
