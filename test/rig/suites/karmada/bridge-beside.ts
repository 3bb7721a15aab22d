/** `evenkeel bridge` on a fleet's hub with its own account, in addition to the audit events; records the events that it publishes. */
import { join } from 'node:path';
import { runBridge } from '../../../../bridge/run-bridge.ts';
import { REAL_HUB } from '../../../../local/run.ts';
import type { EvenkeelEvent } from '../../../../shared/bus/event.ts';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import { type Line, recording } from '../../../fakes/telemetry.ts';
import { pem } from '../../parts/certificates.ts';
import type { Hub } from '../../parts/hub.ts';
import { writeKubeconfig } from '../../parts/kubeconfig.ts';
import { eventually } from './observed-state.ts';

const ACCOUNT = 'evenkeel-bridge';

export class BridgeBeside {
  readonly #published: EvenkeelEvent[] = [];
  readonly #lines: Line[] = [];
  readonly #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  private constructor() {}

  static async start(hub: Hub): Promise<BridgeBeside> {
    await hub.kubectl.typed(await hub.manifests('bridge'));
    const token = await hub.kubectl.run('create', 'token', '-n', 'evenkeel', ACCOUNT, '--duration', '2h');
    const kubeconfig = join(hub.folder, 'bridge.conf');
    const { name, url, folder } = hub;
    writeKubeconfig(kubeconfig, { name, server: url, ca: pem(folder, 'ca.crt'), user: { token: token.trim() } });
    const connection = await connectionFromKubeconfig(kubeconfig);
    const bridge = new BridgeBeside();
    const bus = { publish: async (events: readonly EvenkeelEvent[]) => void bridge.#published.push(...events) };
    const lease = { namespace: 'evenkeel', name: ACCOUNT };
    const telemetry = recording(bridge.#lines);
    bridge.#ended = runBridge(
      { hub: REAL_HUB, connection, bus, lease, identity: 'beside', telemetry, policies: true },
      bridge.#stop.signal,
    );
    await eventually(async () => bridge.watched, ['clusters', 'rebalancepolicies', 'workloadrebalancers']);
    return bridge;
  }

  get published(): readonly string[] {
    return this.#published.map(({ type, detail }) => ('name' in detail ? `${type} ${detail.name}` : type));
  }

  /** The kinds that it watches. */
  get watched(): readonly string[] {
    return this.#lines.flatMap(({ code, fields }) => (code === 'EK401' ? [String(fields.kind)] : [])).toSorted();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}
