/** Opens the hub of a kubeconfig and context. */
import { readSettings, type Settings } from '../shared/core/settings.ts';
import type { Telemetry } from '../shared/core/telemetry.ts';
import { connectHub } from '../shared/kubernetes/client/connect-hub.ts';
import { connectionFromKubeconfig } from '../shared/kubernetes/client/kubeconfig.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';

/** Telemetry is discarded: the result contains all that matters. */
const silent: Telemetry = { outcome: () => undefined, count: () => undefined, begin: () => undefined };

export async function openHub(
  { kubeconfig, context }: { readonly kubeconfig: string; readonly context?: string | undefined },
  telemetry = silent,
): Promise<{ readonly hub: Hub; readonly settings: Settings }> {
  const connection = await connectionFromKubeconfig(kubeconfig, context);
  const settings = readSettings(process.env);
  return { hub: connectHub(context ?? kubeconfig, connection, { settings, telemetry }), settings };
}
