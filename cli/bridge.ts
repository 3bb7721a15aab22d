/** `evenkeel bridge`: watches a hub and publishes its changes on the bus, for a hub whose API server cannot be configured to send them. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { hubName, hubSource } from '../shared/bus/event.ts';
import { invalidOption } from '../shared/core/fault.ts';
import { logCodes } from '../shared/core/log-codes.ts';
import type { Telemetry } from '../shared/core/telemetry.ts';
import { connectionFromKubeconfig } from '../shared/kubernetes/client/kubeconfig.ts';
import type { HubFeatures } from '../shared/kubernetes/hub-features.ts';
import { takesFeatures } from './hub-options.ts';
import { wholeNumber } from './whole-number.ts';

interface BridgeCommandOptions extends HubFeatures {
  readonly hub: string;
  readonly bus: string;
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly lease: string;
  readonly metricsPort?: number;
}

const after = `
Examples:
  evenkeel bridge --hub karmada --kubeconfig bridge.conf
  evenkeel bridge --hub karmada --kubeconfig bridge.conf --bus evenkeel --policies --scheduler
  evenkeel bridge --hub karmada --kubeconfig bridge.conf --metrics-port 8080    /metrics and /healthz`;

export function registerBridge(evenkeel: Command): void {
  const command = evenkeel
    .command('bridge')
    .description('watch a hub and publish its changes on the event bus')
    .requiredOption('--hub <name>', "the hub's name in the deployment")
    .requiredOption('--kubeconfig <file>', 'the kubeconfig of the hub')
    .option('--bus <name>', "the deployment's event bus", 'evenkeel')
    .option('--namespace <namespace>', 'the namespace of the Lease that the bridges of a hub share', 'evenkeel')
    .option('--lease <name>', 'its name', 'evenkeel-bridge')
    .option(
      '--metrics-port <port>',
      'serve /metrics for Prometheus, and /healthz, on this port',
      wholeNumber(1, 65_535),
    );
  takesFeatures(command, ['scheduler', 'policies', 'drains', 'gracefulReduction', 'history', 'elasticWorkloads'])
    .addHelpText('after', after)
    .action((given: BridgeCommandOptions) => bridge(given));
}

async function bridge(given: BridgeCommandOptions): Promise<void> {
  const { hub, bus, kubeconfig, namespace, lease, metricsPort, ...features } = given;
  if (!hubName.safeParse(hub).success) {
    throw invalidOption(`--hub ${hub}: a DNS label of at most 40 is needed (a-z, 0-9 and - inside)`);
  }
  // Imported on demand: it loads the client of EventBridge.
  const { eventBridgeBus } = await import('../shared/aws/eventbridge-bus.ts');
  const { runBridge } = await import('../bridge/run-bridge.ts');
  const { BridgeMetrics, serveMetrics } = await import('../bridge/bridge-metrics.ts');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const connection = await connectionFromKubeconfig(kubeconfig);
  const identity = `${process.env.POD_NAME ?? hostname()}_${randomUUID().slice(0, 8)}`;
  const telemetry = new BridgeMetrics({ hub, log: jsonLines((line) => console.log(line)), now: Date.now });
  const server = metricsPort === undefined ? undefined : await serveMetrics(telemetry, metricsPort);
  const where = { namespace, name: lease };
  const options = {
    hub,
    connection,
    bus: eventBridgeBus(bus, hubSource(hub)),
    lease: where,
    identity,
    telemetry,
    ...features,
  };
  await runBridge(options, stop.signal).finally(() => server?.close());
}

function jsonLines(print: (line: string) => void): Telemetry {
  return {
    outcome: (code, fields) => {
      const { level, description } = logCodes[code];
      print(JSON.stringify({ time: new Date().toISOString(), level, code, message: description, ...fields }));
    },
    // Metrics are derived from the lines: by BridgeMetrics, and by the reader of the log.
    count: () => undefined,
    begin: () => undefined,
  };
}
