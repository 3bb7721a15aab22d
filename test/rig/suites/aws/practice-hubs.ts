/** Many practice hubs in this process, each with two members and one workload, behind a proxy that can stop responding. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type SimulatedFleet, startFleet } from '../../../../local/practice-hub/fleet.ts';
import { type HubServer, startHubServer } from '../../../../local/practice-hub/hub-server.ts';
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import { deploymentOf, policyOf, workloadOf } from '../../../../local/stories/manifests.ts';
import { paths } from '../../../../local/stories/scene.ts';
import type { Connection } from '../../../../shared/kubernetes/client/connection.ts';

const NAMESPACE = 'default';
const WORKLOAD = { name: 'web', namespace: NAMESPACE, replicas: 4 };
const members = ['member1', 'member2'].map((name) => ({ name, capacity: 20, readyDelayMs: 0 }));

function triggerOf(object: KubeObject | undefined): unknown {
  return (object?.spec as { rescheduleTriggeredAt?: string } | undefined)?.rescheduleTriggeredAt;
}

export class PracticeHub {
  readonly name: string;
  readonly connection: Connection;
  /** Requests are accepted, and get no response. */
  isHanging = false;
  /** When a binding was last triggered, in ms as performance.now() has them. */
  triggeredAt = 0;
  readonly #server: HubServer;
  readonly #fleet: SimulatedFleet;
  readonly #proxy: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(name: string, server: HubServer) {
    this.name = name;
    this.#server = server;
    this.#fleet = startFleet({ store: server.controllersStore, members });
    const target = Number(new URL(server.url).port);
    server.store.onChange(({ plural, object, previous }) => {
      if (plural === 'resourcebindings' && triggerOf(object) !== triggerOf(previous))
        this.triggeredAt = performance.now();
    });
    this.#proxy = createServer((socket) => {
      const upstream = connect(target, '127.0.0.1');
      for (const each of [socket, upstream]) {
        this.#sockets.add(each);
        each.on('error', () => each.destroy());
      }
      socket.on('data', (data) => {
        if (!this.isHanging) upstream.write(data);
      });
      upstream.pipe(socket);
    });
    this.connection = { server: '', token: 'functions', account: 'functions', hookTokens: [`hook-token-of-${name}`] };
  }

  static async start(name: string): Promise<PracticeHub> {
    const hub = new PracticeHub(name, await startHubServer({ port: 0, users: { functions: 'functions' } }));
    await new Promise<void>((resolve) => hub.#proxy.listen(0, '127.0.0.1', resolve));
    Object.assign(hub.connection, { server: `http://127.0.0.1:${(hub.#proxy.address() as AddressInfo).port}` });
    await hub.#post(paths.policies(NAMESPACE), policyOf(WORKLOAD));
    await hub.#post(paths.deployments(NAMESPACE), deploymentOf(WORKLOAD));
    await hub.#fleet.settled();
    return hub;
  }

  async rebalance(name: string): Promise<void> {
    const workloads = [{ ...workloadOf(WORKLOAD), namespace: NAMESPACE }];
    await this.#post(paths.rebalancers, {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name },
      spec: { workloads },
    });
  }

  /** How many workloads of the rebalancer are reported as successful. */
  async successful(name: string): Promise<number> {
    const response = await fetch(`${this.#server.url}${paths.rebalancer(name)}`);
    const { status } = (await response.json()) as { status?: { observedWorkloads?: readonly { result?: string }[] } };
    return (status?.observedWorkloads ?? []).filter(({ result }) => result === 'Successful').length;
  }

  async close(): Promise<void> {
    this.#fleet.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#proxy.close();
    await this.#server.close();
  }

  async #post(path: string, body: object): Promise<void> {
    const response = await fetch(`${this.#server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path} on ${this.name}: ${response.status} ${await response.text()}`);
  }
}
