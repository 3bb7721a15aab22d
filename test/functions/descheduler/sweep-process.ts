/** One sweep of a hub at the URL given, as a function makes it; tells what came of it and what it took. */
import { task } from '../../../functions/descheduler/find-candidates.lambda.ts';
import { connectHub } from '../../../shared/adapters/kubernetes/connect-hub.ts';
import { MemoryDeschedulingStore } from '../../../shared/adapters/memory/memory-descheduling-store.ts';
import { parseSettings } from '../../../shared/settings.ts';
import { oneHub } from '../../fakes/one-hub.ts';
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
    hubs: oneHub(hub, { hasEstimator: async () => true }),
    descheduling: new MemoryDeschedulingStore(),
    bus: { publish: async () => {} },
  },
  new Set(['DeschedulingDue']),
);
const peakMb = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ...outcome.fields, peakMb }), () => process.exit(0));
