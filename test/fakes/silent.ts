/** A voice that says nothing, for tests that listen to nobody. */
import type { Telemetry } from '../../shared/ports/telemetry.ts';

export const silent: Telemetry = { outcome: () => undefined, count: () => undefined, flush: () => undefined };
