/** A whole deployment in one thread on virtual time: hub, bus, queues, schedules, table and the deployed functions, with faults in every invocation. */
import type { APIGatewayProxyEventV2, SQSEvent } from 'aws-lambda';
import type { AllPorts } from '../../../local/all-ports.ts';
import type { LocalBus } from '../../../local/bus.ts';
import { DeadLetters } from '../../../local/dead-letters.ts';
import { LocalDeployment } from '../../../local/deployment.ts';
import type { FunctionInstance, queueFunctions } from '../../../local/functions.ts';
import { localContext } from '../../../local/invocation.ts';
import type { Consumer } from '../../../local/queue.ts';
import { LocalSchedule } from '../../../local/schedule.ts';
import { createVirtualClock } from '../../../local/virtual-clock.ts';
import type { FunctionName } from '../../../shared/bus/functions.ts';
import type { Route } from '../../../shared/bus/routes.ts';
import { parseSettings, type Settings } from '../../../shared/core/settings.ts';
import type { ClusterEstimator } from '../../../shared/estimator/estimator.ts';
import type { Instances } from '../../../shared/external-events/instances.ts';
import { CircuitBreaker } from '../../../shared/kubernetes/client/circuit-breaker.ts';
import type { HookAccess } from '../../../shared/kubernetes/hook-access.ts';
import type { Hub, Hubs } from '../../../shared/kubernetes/hub.ts';
import type { HubConnections } from '../../../shared/kubernetes/hub-connections.ts';
import { unknownHub } from '../../../shared/kubernetes/hub-record.ts';
import type { NewHubRecord } from '../../../shared/kubernetes/hub-registry.ts';
import type { QueueHandler } from '../../../shared/runtime/queue-task.ts';
import { MemoryAssignmentStore } from '../../fakes/stores/memory-assignment-store.ts';
import { MemoryDeschedulingStore } from '../../fakes/stores/memory-descheduling-store.ts';
import { MemoryElasticStore } from '../../fakes/stores/memory-elastic-store.ts';
import { MemoryExternalEventStore } from '../../fakes/stores/memory-external-event-store.ts';
import { MemoryHubCircuits } from '../../fakes/stores/memory-hub-circuits.ts';
import { MemoryHubRegistry } from '../../fakes/stores/memory-hub-registry.ts';
import { MemoryMoveLedger } from '../../fakes/stores/memory-move-ledger.ts';
import { MemoryPolicyStore } from '../../fakes/stores/memory-policy-store.ts';
import { MemoryResyncPositions } from '../../fakes/stores/memory-resync-positions.ts';
import { MemoryTaskStore } from '../../fakes/stores/memory-task-store.ts';
import { StrictTelemetry } from '../../fakes/strict-telemetry.ts';
import type { FaultInjector } from '../fault-injector.ts';
import { type RandomValues, randomOf } from '../random-values.ts';
import { Adversity } from './adversity.ts';
import { type DeployedCode, type FunctionCode, ownCode, type Stores, storeNames } from './function-code.ts';
import { hubOf } from './hub-client.ts';
import { Instance, type InstanceContext } from './instance.ts';
import { HUB } from './only-hub.ts';
import { busOf, estimatorOf, scheduleOf, sourceOf, throughNetwork } from './ports-of.ts';
import { type HubDeployment, SimulatedHub } from './simulated-hub.ts';
import { Transit } from './transit.ts';

const START = '2026-11-21T10:00:00Z';
const GATEWAY_TIMEOUT_MS = 30_000;

/** The stores of the table, which are lost and restored together. */
type TableName = (typeof storeNames)[number] | 'circuits';

/** A warm instance with its handler. */
interface Warm {
  readonly code: FunctionCode;
  readonly instance: Instance;
  readonly handler: QueueHandler;
}

export interface SystemOptions {
  readonly random: RandomValues;
  readonly injector: FaultInjector;
  readonly settings?: Parameters<typeof parseSettings>[0];
  /** Names of the registered hubs; of one hub by default. */
  readonly hubs?: readonly [string, ...string[]] | undefined;
  /** Whether the only hub is registered with budgets of moves. */
  readonly hasBudgets?: true | undefined;
  /** The maximum difference between the clock of an instance and that of the hub. */
  readonly maxSkewMs: number;
  /** The code of this tree by default, on tables in memory. */
  readonly deployed?: DeployedCode | undefined;
}

export class System implements HubDeployment {
  readonly clock = createVirtualClock(START);
  readonly settings: Settings;
  readonly adversity = new Adversity(this.clock);
  readonly transit: Transit;
  readonly hubs: ReadonlyMap<string, SimulatedHub>;
  /** The first hub. */
  readonly hub: SimulatedHub;
  readonly bus: LocalBus;
  /** The ids of dead-letter messages are not of #newId, so that later ids do not depend on them. */
  readonly #deadLetters = new DeadLetters({ clock: this.clock, newId: () => 'dead-letter' });
  readonly deadLetters = this.#deadLetters.all;
  readonly telemetry = new StrictTelemetry(this.clock);
  readonly random: RandomValues;
  readonly injector: FaultInjector;
  tasks: Stores['tasks'] = new MemoryTaskStore();
  descheduling: Stores['descheduling'] = new MemoryDeschedulingStore();
  policies: Stores['policies'] = new MemoryPolicyStore();
  elastic: Stores['elastic'] = new MemoryElasticStore();
  positions: Stores['positions'] = new MemoryResyncPositions();
  assignments: Stores['assignments'] = new MemoryAssignmentStore();
  ledger: Stores['ledger'] = new MemoryMoveLedger();
  circuits = new MemoryHubCircuits();
  externalEvents: Stores['externalEvents'] = new MemoryExternalEventStore();
  /** The clusters of EC2 instances; a scenario with such events replaces it. */
  instances: Instances = { clustersOf: async () => new Map() };
  estimator: ClusterEstimator | undefined;
  /** Reported unschedulable replicas, by workload and member: "api@member1". */
  readonly #unschedulable = new Map<string, { readonly at: number; readonly count: number }[]>();
  tablesLost = 0;
  /** The number of deliveries so far. */
  deliveries = 0;
  readonly #deployment: LocalDeployment;
  readonly #options: SystemOptions;
  #schedule: LocalSchedule;
  readonly #instances = new Set<Instance>();
  readonly #registry: MemoryHubRegistry;
  readonly #turns = new Map<string, number>();
  #onDelivery: (route: Route, event: SQSEvent) => () => void = () => () => undefined;
  #ids = 0;

  constructor(options: SystemOptions) {
    this.#options = options;
    this.random = options.random;
    this.injector = options.injector;
    const { clock, telemetry } = this;
    const newId = () => this.newId();
    this.settings = parseSettings(options.settings ?? {});
    this.transit = new Transit(this.#context(), this.adversity, (event) => this.bus.publish([event]));
    const [settings, deadLetters] = [this.settings, this.#deadLetters];
    this.#deployment = new LocalDeployment({ clock, newId, settings, telemetry, deadLetters, bus: this.transit });
    this.bus = this.#deployment.bus;
    this.#schedule = this.#deployment.schedule;
    const [first, ...others] = options.hubs ?? [HUB];
    this.hub = this.#hubNamed(first);
    this.hubs = new Map([this.hub, ...others.map((name) => this.#hubNamed(name))].map((hub) => [hub.name, hub]));
    this.#registry = new MemoryHubRegistry(...[...this.hubs.values()].map(recordOf));
    const { stores } = options.deployed ?? {};
    if (stores !== undefined) Object.assign(this, stores);
    this.#deployment.consume((route, queue, own) =>
      this.#consumerOf(route, (name, code) => {
        // A function that the other version does not have.
        const start = code.functions.queueFunctions[route.function as keyof typeof queueFunctions] ?? own;
        const instance = this.#instanceOf(name, route.function);
        this.#instances.add(instance);
        const source = code.port(sourceOf(instance, queue));
        return { code, instance, handler: start(this.#functionInstance(instance, code), source) };
      }),
    );
  }

  #functionInstance(instance: Instance, code: FunctionCode): FunctionInstance {
    const context = { ...this.#deployment.context, now: () => instance.now(), timeLeft: code.timeLeft };
    return { ports: this.#portsOf(instance, code), context };
  }

  #codeOf(name: string, functionName: string): FunctionCode {
    const { deployed } = this.#options;
    const at = { name, functionName, now: this.clock.now(), deliveries: this.deliveries };
    return deployed?.codeOf(at) ?? ownCode;
  }

  #hubNamed(name: string): SimulatedHub {
    const { random } = this;
    return new SimulatedHub(name, this, {
      random: name === HUB ? random : randomOf(random.below(`hub ${name}`, 2 ** 32)),
      hasBudgets: this.#options.hasBudgets ?? false,
    });
  }

  /** Calls this at the begin of each delivery, and what it returns at the end. */
  onDelivery(listener: (route: Route, event: SQSEvent) => () => void): void {
    this.#onDelivery = listener;
  }

  /** Replaces all tables by empty ones. */
  loseTable(): void {
    this.tablesLost += 1;
    this.tasks = new MemoryTaskStore();
    this.descheduling = new MemoryDeschedulingStore();
    this.policies = new MemoryPolicyStore();
    this.elastic = new MemoryElasticStore();
    this.positions = new MemoryResyncPositions();
    this.assignments = new MemoryAssignmentStore();
    this.ledger = new MemoryMoveLedger();
    this.circuits = new MemoryHubCircuits();
    this.externalEvents = new MemoryExternalEventStore();
  }

  /** Gives the tables the rows of an earlier time. */
  restoreTable(to: number): void {
    this.loseTable();
    this.adversity.replay(to, (name) => this[name as TableName]);
  }

  /** All functions, messages and schedules are gone, and the tables are empty; until it is over, nothing runs. */
  loseRegion(): void {
    this.adversity.isRegionLost = true;
    for (const instance of this.#instances) void instance.crash();
    this.#instances.clear();
    this.#schedule.close();
    this.#schedule = new LocalSchedule(this.transit, this.clock);
    this.loseTable();
  }

  #context(): InstanceContext {
    const { clock, random, injector } = this;
    return { clock, random, injector };
  }

  /** A request to the hook's URL. Returns the status: that of the gateway if the instance crashes. */
  async post(path: string, name: string, body: object): Promise<number> {
    const instance = this.#instanceOf(name, 'cluster-hook/admit-change');
    const code = this.#codeOf(name, path);
    const routes = code.functions.hookRoutesOf(this.#functionInstance(instance, code), this.clock);
    const route = routes.find((each) => each.path === path);
    if (route === undefined) throw new Error(`the hook has no path ${path}`);
    const headers = { 'content-type': 'application/json' };
    const request = { pathParameters: { hub: this.hub.name }, headers, body: JSON.stringify(body) };
    const event = request as Partial<APIGatewayProxyEventV2> as APIGatewayProxyEventV2;
    const answer = instance.deliver(name, GATEWAY_TIMEOUT_MS, () => route.handler(event, localContext(name)));
    const { statusCode = 500 } = await answer.catch(() => ({}) as { readonly statusCode?: number });
    return statusCode;
  }

  /** Delivers to an idle instance of the route's function, or starts one. */
  #consumerOf(route: Route, start: (name: string, code: FunctionCode) => Warm): Consumer {
    let warm: Warm[] = [];
    return async (event, context) => {
      // The messages of a lost region are never handled.
      if (this.adversity.isRegionLost) return { batchItemFailures: [] };
      const name = this.#nameOf(route, event);
      const idle = warm.filter(({ instance }) => !instance.isDead);
      warm = idle;
      const code = this.#codeOf(name, route.function);
      const last = idle.findLastIndex((each) => each.code === code);
      const { instance, handler } = idle.splice(last, last < 0 ? 0 : 1)[0] ?? start(name, code);
      this.deliveries += 1;
      const ended = this.#onDelivery(route, event);
      const response = await instance
        .deliver(name, context.getRemainingTimeInMillis(), () => handler(event, context))
        .finally(ended);
      // A timer of the delivery may have crashed the instance.
      if (!instance.isDead) idle.push({ code, instance, handler });
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

  #instanceOf(name: string, of: FunctionName): Instance {
    const skewMs = Math.round((this.random.of(`skew ${name}`) * 2 - 1) * this.#options.maxSkewMs);
    return new Instance(this.#context(), () => skewMs + this.adversity.aheadMs(of));
  }

  /** The ports that functions behind queues use. */
  #portsOf(instance: Instance, code: FunctionCode): AllPorts {
    const onAnswer = (cluster: string, workload: string, count: number) => {
      const key = `${workload}@${cluster}`;
      this.#unschedulable.set(key, [...(this.#unschedulable.get(key) ?? []), { at: this.clock.now(), count }]);
    };
    const used: Partial<AllPorts> = {
      registry: throughNetwork(instance, 'registry', () => {
        this.adversity.assertServed('registry');
        return this.#registry;
      }),
      connections: throughNetwork(instance, 'connections', () => withoutTokens),
      ...Object.fromEntries(storeNames.map((name) => [name, this.#table(instance, name, code)])),
      instances: throughNetwork(instance, 'instances', () => this.instances),
      hookAccess: anyCaller,
      estimators: {
        of: async () => this.estimator && code.port(estimatorOf(instance, this.estimator, onAnswer)),
      },
      bus: busOf(instance, (events, from) => this.transit.carry(events, from)),
      schedule: scheduleOf(instance, this.#schedule),
    };
    const ports = Object.entries(used).map(([name, port]) => [name, code.port<object>(port)]);
    return { ...(Object.fromEntries(ports) as AllPorts), hubs: this.#hubsOf(instance, code) };
  }

  #table<N extends TableName>(instance: Instance, name: N, { stores }: Pick<FunctionCode, 'stores'>): System[N] {
    const other = (stores as Partial<Pick<System, TableName>> | undefined)?.[name];
    return throughNetwork<System[N]>(instance, name, () => other ?? this.adversity.tableCall(name, this[name]));
  }

  #hubsOf(instance: Instance, code: FunctionCode): Hubs {
    const clients = new Map<string, Hub>();
    const open = async (name: string) => {
      const client =
        clients.get(name) ?? hubOf({ instance, code }, this.#sideOf(name), this.#breakerOf(name, instance));
      clients.set(name, client);
      return client;
    };
    return {
      names: async () => [...this.hubs.keys()],
      connect: open,
      open,
      pauseOf: async () => undefined,
      hasEstimator: async () => this.estimator !== undefined,
      uses: async (name, feature) => this.#sideOf(name).features.includes(feature),
    };
  }

  #sideOf(name: string): SimulatedHub {
    const hub = this.hubs.get(name);
    if (hub === undefined) throw unknownHub(name);
    return hub;
  }

  /** A hub alone has none: a breaker protects the other hubs, and would keep the faults of this one from the functions. */
  #breakerOf(hub: string, instance: Instance): CircuitBreaker | undefined {
    if (this.hubs.size === 1) return undefined;
    const circuits = this.#table(instance, 'circuits', ownCode);
    return new CircuitBreaker({ hub, circuits, now: () => instance.now(), after: this.clock.after.bind(this.clock) });
  }

  /** Advances the clock: runs every timer in order, and all of its promises before the next timer. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    await this.#turn();
    while (this.clock.step(end)) await this.#turn();
    this.clock.advance(end - this.clock.now());
  }

  /** Resolves when all pending promises are settled; nothing waits for I/O but the stores of deployed code. */
  async #turn(): Promise<void> {
    const { deployed } = this.#options;
    do await turn();
    while (deployed?.isReading() === true);
  }

  /** The most that estimators reported of a workload ("api") on a member, within this time. */
  mostUnschedulable(workload: string, member: string, withinMs: number): number {
    const reports = this.#unschedulable.get(`${workload}@${member}`) ?? [];
    const from = this.clock.now() - withinMs;
    return Math.max(0, ...reports.filter(({ at }) => at >= from).map(({ count }) => count));
  }

  newId(): string {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }
}

/** Every caller has the token of the hub. */
const anyCaller = { mayRaiseEvents: async () => true } as Partial<HookAccess> as HookAccess;

/** Connections with client certificates, which no function renews. */
const withoutTokens = { readToken: async () => undefined } as Partial<HubConnections> as HubConnections;

function recordOf({ name, features }: SimulatedHub): NewHubRecord {
  const callers = { tokenDigests: [], reviewKeyDigests: [], subjects: [] };
  return { name, state: 'Active', features, server: `https://${name}`, callers };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function detailOf(body: string): string {
  try {
    const { detail, source, id } = JSON.parse(body) as {
      readonly detail?: Readonly<Record<string, string | number>>;
      readonly source?: string;
      readonly id?: string;
    };
    // An event from outside.
    if (source !== undefined && !source.startsWith('evenkeel')) return String(id);
    const hub = detail?.hub === HUB ? undefined : detail?.hub;
    return [hub, detail?.namespace, detail?.name, detail?.chunk].filter((part) => part !== undefined).join('/');
  } catch {
    return '?';
  }
}
