/** A whole deployment in one thread on virtual time: hub, bus, queues, schedules, table and the deployed functions, with faults in every invocation. */
import type { SQSEvent } from 'aws-lambda';
import type { AllPorts } from '../../../local/all-ports.ts';
import type { LocalBus } from '../../../local/bus.ts';
import { DeadLetters } from '../../../local/dead-letters.ts';
import { LocalDeployment } from '../../../local/deployment.ts';
import { Watches } from '../../../local/practice-hub/api/watches.ts';
import { type ApiStore, createObjectStore } from '../../../local/practice-hub/store/object-store.ts';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import type { Consumer, LocalQueue } from '../../../local/queue.ts';
import type { Route } from '../../../shared/bus/routes.ts';
import type { SourceQueue } from '../../../shared/bus/source-queue.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import type { ClusterEstimator } from '../../../shared/estimator/estimator.ts';
import type { Hub, Hubs } from '../../../shared/kubernetes/hub.ts';
import type { QueueHandler } from '../../../shared/runtime/queue-task.ts';
import { MemoryDeschedulingStore } from '../../fakes/stores/memory-descheduling-store.ts';
import { MemoryElasticStore } from '../../fakes/stores/memory-elastic-store.ts';
import { MemoryPolicyStore } from '../../fakes/stores/memory-policy-store.ts';
import { MemoryResyncPositions } from '../../fakes/stores/memory-resync-positions.ts';
import { MemoryTaskStore } from '../../fakes/stores/memory-task-store.ts';
import { StrictTelemetry } from '../../fakes/strict-telemetry.ts';
import { createVirtualClock } from '../../fakes/virtual-clock.ts';
import { watchStream } from '../../fakes/watch-stream.ts';
import type { FaultInjector } from '../fault-injector.ts';
import type { RandomValues } from '../random-values.ts';
import { ApiWire, type RawAnswer, type RawRequest } from './api-wire.ts';
import { Hook } from './hook.ts';
import { type Hubside, hubOf } from './hub-client.ts';
import { Instance, type InstanceContext } from './instance.ts';
import { busOf, estimatorOf, scheduleOf, throughNetwork } from './ports-of.ts';
import { Transit } from './transit.ts';

export const HUB = 'karmada';
const otherUser = { username: 'other', manager: 'kubectl' };
/** The share of histories in which every response of the hub takes seconds. */
const SLOW_HUBS = 0.08;
const START = '2026-11-21T10:00:00Z';

/** A warm instance with its handler. */
interface Warm {
  readonly instance: Instance;
  readonly handler: QueueHandler;
}

export interface SystemOptions {
  readonly random: RandomValues;
  readonly injector: FaultInjector;
  readonly settings?: Parameters<typeof parseSettings>[0];
  /** The maximum difference between the clock of an instance and that of the hub. */
  readonly maxSkewMs: number;
}

export class System {
  readonly clock = createVirtualClock(START);
  readonly store: ApiStore;
  readonly transit: Transit;
  readonly hook: Hook;
  readonly bus: LocalBus;
  /** The ids of dead-letter messages are not of #newId, so that later ids do not depend on them. */
  readonly #deadLetters = new DeadLetters({ clock: this.clock, newId: () => 'dead-letter' });
  readonly deadLetters = this.#deadLetters.all;
  readonly telemetry = new StrictTelemetry(this.clock);
  readonly random: RandomValues;
  readonly injector: FaultInjector;
  tasks = new MemoryTaskStore();
  descheduling = new MemoryDeschedulingStore();
  policies = new MemoryPolicyStore();
  elastic = new MemoryElasticStore();
  positions = new MemoryResyncPositions();
  estimator: ClusterEstimator | undefined;
  /** The last reported unschedulable replicas, by workload and member: "api@member1". */
  readonly reportedUnschedulable = new Map<string, number>();
  /** True while a request of a function changes the hub and its listeners run. */
  isOurWrite = false;
  tablesLost = 0;
  /** Old lists that were returned: when, and as of when. */
  readonly oldAnswers: { readonly at: number; readonly asOf: number }[] = [];
  /** The number of deliveries so far. */
  deliveries = 0;
  readonly #deployment: LocalDeployment;
  readonly #options: SystemOptions;
  readonly #side: Hubside;
  readonly #turns = new Map<string, number>();
  #ids = 0;

  constructor(options: SystemOptions) {
    this.#options = options;
    this.random = options.random;
    this.injector = options.injector;
    const { clock, random, telemetry } = this;
    const newId = () => this.#newId();
    this.store = createObjectStore({ now: () => clock.now(), newUid: newId });
    this.transit = new Transit(this.#context(), (event) => this.bus.publish([event]));
    const settings = parseSettings(options.settings ?? {});
    const deadLetters = this.#deadLetters;
    this.#deployment = new LocalDeployment({ clock, newId, settings, telemetry, deadLetters, bus: this.transit });
    this.bus = this.#deployment.bus;
    this.hook = new Hook({
      store: this.store,
      hub: HUB,
      isOurWrite: () => this.isOurWrite,
      publish: (event) => void this.transit.publish([event]),
    });
    const api = new ApiWire(this.store, () => clock.now());
    const watches = new Watches(this.store);
    this.#side = {
      name: HUB,
      answer: (request) => this.#answer(api, request),
      answerFromCache: (request, name) => api.answerFromCache(request, random.of(`version ${name}`)),
      watch: (request) => watchStream(request, this.store, watches),
      touch: (path) => this.#touch(path),
      answeredAsOf: (asOf) => this.oldAnswers.push({ at: clock.now(), asOf }),
      now: () => clock.now(),
      slowMs: random.of('slow hub') < SLOW_HUBS ? random.pick('how slow', [1500, 2500, 6000]) : 0,
      hubInFlight: settings.hubInFlight,
    };
    this.#deployment.consume((route, queue, start) =>
      this.#consumerOf(route, (name) => {
        const instance = new Instance(this.#context(), this.#skewOf(name));
        const context = { ...this.#deployment.context, now: () => instance.now() };
        return { instance, handler: start({ ports: this.#portsOf(instance), context }, sourceOf(instance, queue)) };
      }),
    );
  }

  /** A write by another client just before a write of the same object. If it returns false, the system writes an annotation. */
  writeFirst: (plural: string, object: KubeObject) => boolean = () => false;

  #touch(path: string): void {
    const { store } = this;
    const [, , , , ...rest] = path.split('/');
    const [namespace = '', plural = '', name = ''] = rest[0] === 'namespaces' ? rest.slice(1) : ['', ...rest];
    const object = store.get(plural, { namespace, name });
    if (object === undefined || this.writeFirst(plural, object)) return;
    const body = { metadata: { annotations: { 'example.com/touched': String(store.revision()) } } };
    store.patch(plural, { namespace, name }, { type: 'merge', body }, otherUser);
  }

  /** Replaces all tables by empty ones. */
  loseTable(): void {
    this.tablesLost += 1;
    this.tasks = new MemoryTaskStore();
    this.descheduling = new MemoryDeschedulingStore();
    this.policies = new MemoryPolicyStore();
    this.elastic = new MemoryElasticStore();
    this.positions = new MemoryResyncPositions();
  }

  #answer(api: ApiWire, request: RawRequest): RawAnswer {
    this.isOurWrite = true;
    try {
      return api.answer(request);
    } finally {
      this.isOurWrite = false;
    }
  }

  #context(): InstanceContext {
    const { clock, random, injector } = this;
    return { clock, random, injector };
  }

  /** Delivers to an idle instance of the route's function, or starts one. */
  #consumerOf(route: Route, start: (name: string) => Warm): Consumer {
    let warm: Warm[] = [];
    return async (event, context) => {
      const name = this.#nameOf(route, event);
      const idle = warm.filter(({ instance }) => !instance.isDead);
      warm = idle;
      const { instance, handler } = idle.pop() ?? start(name);
      this.deliveries += 1;
      const response = await instance.deliver(name, context.getRemainingTimeInMillis(), () => handler(event, context));
      // A timer of the delivery may have crashed the instance.
      if (!instance.isDead) idle.push({ instance, handler });
      return response;
    };
  }

  /** The name is made of its event, not of its turn among all deliveries. */
  #nameOf({ name }: Route, { Records: [record] }: SQSEvent): string {
    const base = `${name}(${detailOf(record?.body ?? '')})`;
    const turn = (this.#turns.get(base) ?? 0) + 1;
    this.#turns.set(base, turn);
    return `${base}#${turn}`;
  }

  #skewOf(name: string): number {
    return Math.round((this.random.of(`skew ${name}`) * 2 - 1) * this.#options.maxSkewMs);
  }

  /** The ports that functions behind queues use. */
  #portsOf(instance: Instance): AllPorts {
    const hub = hubOf(instance, this.#side);
    const onAnswer = (cluster: string, workload: string, count: number) =>
      this.reportedUnschedulable.set(`${workload}@${cluster}`, count);
    const used: Partial<AllPorts> = {
      hubs: this.#hubsOf(hub),
      tasks: throughNetwork(instance, 'tasks', () => this.tasks),
      descheduling: throughNetwork(instance, 'descheduling', () => this.descheduling),
      policies: throughNetwork(instance, 'policies', () => this.policies),
      elastic: throughNetwork(instance, 'elastic', () => this.elastic),
      positions: throughNetwork(instance, 'positions', () => this.positions),
      estimators: { of: async () => this.estimator && estimatorOf(instance, this.estimator, onAnswer) },
      bus: busOf(instance, (events, from) => this.transit.carry(events, from)),
      schedule: scheduleOf(instance, this.#deployment.schedule),
    };
    return used as AllPorts;
  }

  #hubsOf(hub: Hub): Hubs {
    return {
      names: async () => [HUB],
      connect: async () => hub,
      open: async () => hub,
      pauseOf: async () => undefined,
      hasEstimator: async () => this.estimator !== undefined,
      uses: async () => true,
    };
  }

  /** Advances the clock: runs every timer in order, and all of its promises before the next timer. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    await turn();
    while (this.clock.step(end)) await turn();
    this.clock.advance(end - this.clock.now());
  }

  #newId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }
}

/** Resolves when all pending promises are settled; nothing here waits for I/O. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function sourceOf(instance: Instance, queue: LocalQueue): SourceQueue {
  const may = ['throttled', 'reply lost'] as const;
  const reject = (injected: string | undefined) => {
    if (injected !== undefined) throw new Error(`the queue: ${injected}`);
  };
  return {
    maxReceives: queue.maxReceives,
    deadLetter: (message, fault) =>
      instance.effect('deadLetter', may, async (injected) => {
        if (injected !== 'throttled') await queue.deadLetter(message, fault);
        reject(injected);
      }),
    deliverAgain: (message, seconds) =>
      instance.effect('deliverAgain', may, async (injected) => {
        if (injected !== 'throttled') await queue.deliverAgain(message, seconds);
        reject(injected);
      }),
    sendAgain: (message, hub, seconds) =>
      instance.effect('sendAgain', may, async (injected) => {
        if (injected !== 'throttled') await queue.sendAgain(message, hub, seconds);
        reject(injected);
      }),
  };
}

function detailOf(body: string): string {
  try {
    const { detail } = JSON.parse(body) as { detail?: Readonly<Record<string, string | number>> };
    return [detail?.namespace, detail?.name, detail?.chunk].filter((part) => part !== undefined).join('/');
  } catch {
    return '?';
  }
}
