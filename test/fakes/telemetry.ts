/** Telemetry for tests: one that discards its lines, and one that keeps them. */
import type { LogFields, Telemetry } from '../../shared/core/telemetry.ts';

const silent: Telemetry = { outcome: () => undefined, count: () => undefined, begin: () => undefined };

export interface Line {
  readonly code: string;
  readonly fields: LogFields;
}

export function recording(lines: Line[]): Telemetry {
  return { ...silent, outcome: (code, fields) => lines.push({ code, fields }) };
}
