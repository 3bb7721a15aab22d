/** Telemetry of a process that people or a container's log read: one line of JSON an outcome. */
import { logCodes } from '../shared/model/log-codes.ts';
import type { Telemetry } from '../shared/ports/telemetry.ts';

export function jsonLines(print: (line: string) => void): Telemetry {
  return {
    outcome: (code, fields) => {
      const { level, says } = logCodes[code];
      print(JSON.stringify({ time: new Date().toISOString(), level, code, message: says, ...fields }));
    },
    // Counted from the lines by whoever reads them.
    count: () => undefined,
    begin: () => undefined,
  };
}
