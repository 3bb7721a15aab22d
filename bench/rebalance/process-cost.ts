/** Processor time and memory of a process on this machine, from Linux's /proc. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second. */
const CLOCK_HZ = 100;

export interface ProcessMemory {
  readonly residentMiB: number;
  /** Since the last reset of the peak. */
  readonly peakMiB: number;
}

/** Of all its threads. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_HZ;
}

export function memory(pid: number): ProcessMemory {
  return { residentMiB: Math.round(mibOf(pid, 'VmRSS')), peakMiB: Math.round(mibOf(pid, 'VmHWM')) };
}

export function mibOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
