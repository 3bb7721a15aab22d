/** Only the hook's admission reviews, on this machine: for benchmarks and suites on hubs whose objects no function should act on. */
import { task } from '../../functions/cluster-hook/review-admission.lambda.ts';
import type { KeyPair } from '../../local/hook-access.ts';
import { type HookServer, startHookServer } from '../../local/hook-server.ts';
import { LocalHubs } from '../../local/local-hubs.ts';
import { functions } from '../../shared/bus/functions.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import type { Telemetry } from '../../shared/core/telemetry.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { onHttp } from '../../shared/runtime/http-task.ts';

export interface ReviewHook {
  readonly hub: string;
  /** Evenkeel's account on the hub. */
  readonly account: string;
  readonly token: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tls: KeyPair;
}

const silent: Telemetry = { outcome: () => undefined, count: () => undefined, begin: () => undefined };

export function startReviewHook({ hub, account, token, port, tls }: ReviewHook): Promise<HookServer> {
  const hubs = new LocalHubs(hub, [token]);
  hubs.opened({} as Hub, { account });
  const context = () => ({
    settings: parseSettings({}),
    telemetry: silent,
    now: Date.now,
    newId: () => 'id',
    timeLeft: () => Number.POSITIVE_INFINITY,
  });
  const handler = onHttp(task, { hookAccess: () => hubs }, { context });
  const routes = functions['cluster-hook/review-admission'].paths.map((path) => ({ path, handler }));
  return startHookServer(routes, port, tls);
}
