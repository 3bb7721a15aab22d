/** One sweep of the hub at the given URL, as a function makes it; prints its result and its peak memory. */
import { existsSync, readFileSync } from 'node:fs';
import { task } from '../../../functions/descheduler/find-candidates.lambda.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { connectHub } from '../../../shared/kubernetes/client/connect-hub.ts';
import { oneHub } from '../../fakes/one-hub.ts';
import { MemoryDeschedulingStore } from '../../fakes/stores/memory-descheduling-store.ts';
import { recording } from '../../fakes/telemetry.ts';

const [server = ''] = process.argv.slice(2);
const settings = parseSettings({});
const telemetry = recording([]);
const hub = connectHub('karmada', { server, hookTokens: [] }, { settings, telemetry });
const outcome = await task.run(
  { hub: 'karmada' },
  {
    settings,
    telemetry,
    now: () => Date.now(),
    newId: () => 'one',
    timeLeft: () => Number.POSITIVE_INFINITY,
    hubs: oneHub(hub, { hasEstimator: async () => true }),
    descheduling: new MemoryDeschedulingStore(),
    bus: { publish: async () => {} },
  },
  new Set(['DeschedulingDue']),
);
// Linux counts the memory of the parent at the fork into maxRSS; VmHWM begins with this program.
const own = existsSync('/proc/self/status') && /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
const peakMb = (own ? Number(own[1]) : process.resourceUsage().maxRSS) / 1024;
process.stdout.write(JSON.stringify({ ...outcome.fields, peakMb }), () => process.exit(0));
