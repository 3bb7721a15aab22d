/** Telemetry as JSON lines, for a terminal or a container's log: one line per outcome. */
import { logCodes } from '../shared/core/log-codes.ts';
import type { Telemetry } from '../shared/core/telemetry.ts';

export function jsonLines(print: (line: string) => void): Telemetry {
  return {
    outcome: (code, fields) => {
      const { level, description } = logCodes[code];
      print(JSON.stringify({ time: new Date().toISOString(), level, code, message: description, ...fields }));
    },
    // Metrics are derived from the lines by the log's reader.
    count: () => undefined,
    begin: () => undefined,
  };
}
