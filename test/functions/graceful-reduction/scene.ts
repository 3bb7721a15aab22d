/** A fleet whose moves are graceful, in virtual time: the practice hub's store and controllers with the policy that holds reductions, and the real functions. */
import { expect } from 'vitest';
import type { MemberOptions } from '../../../local/practice-hub/controllers/member-cluster.ts';
import { type SimulatedFleet, startFleet } from '../../../local/practice-hub/fleet.ts';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import {
  DELAY_WORK_DELETION,
  QUEUE,
  REDUCTION_STRATEGY,
} from '../../../shared/graceful-reduction/replica-reduction.ts';
import { deployment, policy, user } from '../../fakes/practice-fleet.ts';
import { World, type WorldOptions } from '../../fakes/world.ts';
import { DYNAMIC } from '../../placed-objects.ts';

export const members: readonly MemberOptions[] = ['member1', 'member2', 'member3'].map((name) => ({
  name,
  capacity: 40,
  readyDelayMs: 20_000,
}));

const web = { namespace: 'shop', name: 'web' };
const key = { namespace: 'shop', name: 'web-deployment' };
export const workload = { apiVersion: 'apps/v1', kind: 'Deployment', ...web };

export interface GracefulOptions extends WorldOptions {
  /** On the policy; without it nothing is held. */
  readonly words?: Readonly<Record<string, string>>;
  readonly placement?: object;
  readonly replicas?: number;
}

const graceful = { [REDUCTION_STRATEGY]: DELAY_WORK_DELETION };

/** Deployment shop/web: 12 replicas by default, all ready. */
export class GracefulWorld extends World {
  readonly fleet: SimulatedFleet;
  readonly #options: GracefulOptions;

  constructor(options: GracefulOptions = {}) {
    super({ scheduler: false, reductions: true, ...options });
    this.#options = options;
    this.fleet = startFleet({ store: this.store, clock: this.clock, members, tolerationMs: 5000 });
  }

  async begin(): Promise<void> {
    const { words = graceful, placement = { replicaScheduling: DYNAMIC }, replicas = 12 } = this.#options;
    const made = policy('web', placement) as { metadata: object };
    const object = { ...made, metadata: { ...made.metadata, annotations: words } };
    this.store.create('propagationpolicies', object, user);
    this.store.create('deployments', deployment('web', { replicas }), user);
    await this.pass(60);
  }

  /** member1 fails and is back, empty: 0/6/6 of 4/4/4. */
  async away(): Promise<void> {
    this.fleet.fail('member1');
    await this.pass(40);
    this.fleet.recover('member1');
    await this.pass(40);
  }

  get bindingObject(): KubeObject {
    const found = this.store.get('resourcebindings', key);
    if (found === undefined) throw new Error('web has no binding');
    return found;
  }

  editBinding(body: object): void {
    this.store.patch('resourcebindings', key, { type: 'merge', body }, user);
  }

  editPolicy(body: object): void {
    this.store.patch('propagationpolicies', web, { type: 'merge', body }, user);
  }

  editWorkload(spec: object): void {
    this.store.patch('deployments', web, { type: 'merge', body: { spec } }, user);
  }

  get ready(): number {
    return [...this.fleet.distribution(key).values()].reduce((sum, { ready }) => sum + ready, 0);
  }

  /** "4/4/4", of members in their order: what is assigned, or what is ready. */
  shares(what: 'assigned' | 'ready'): string {
    const distribution = this.fleet.distribution(key);
    return members.map(({ name }) => distribution.get(name)?.[what] ?? 0).join('/');
  }

  /** Entries of the queue, by cluster. */
  get queue(): Readonly<Record<string, unknown>> {
    const annotations = Object.entries(this.bindingObject.metadata.annotations ?? {});
    return Object.fromEntries(
      annotations.flatMap(([name, text]) =>
        name.startsWith(QUEUE) ? [[name.slice(QUEUE.length), JSON.parse(text)] as const] : [],
      ),
    );
  }

  /** How many were ready in all members, every 100 ms. */
  async curve(seconds: number): Promise<readonly number[]> {
    const samples = [this.ready];
    for (let passed = 0; passed < seconds * 10; passed++) {
      await this.pass(0.1);
      samples.push(this.ready);
    }
    return samples;
  }
}

/** web has been called home to member1, whose pods do not become ready: 6 are kept on each of the others, which are assigned 4. */
export async function heldWorld(options: GracefulOptions = {}): Promise<GracefulWorld> {
  const world = new GracefulWorld(options);
  await world.begin();
  await world.away();
  // Beside the scene's 20 s this is for ever.
  world.fleet.setReadyDelay('member1', 3600_000);
  world.create('home', [workload]);
  await world.pass(10);
  expect([world.shares('assigned'), world.shares('ready')]).toEqual(['4/4/4', '0/6/6']);
  expect(Object.keys(world.queue)).toEqual(['member2', 'member3']);
  return world;
}
