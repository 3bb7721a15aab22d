/** A hub of the simulated deployment: its objects, its API server, its hook, and its outages. */
import type { LocalBus } from '../../../local/bus.ts';
import { Watches } from '../../../local/practice-hub/api/watches.ts';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import type { VirtualClock } from '../../../local/virtual-clock.ts';
import type { Settings } from '../../../shared/core/settings.ts';
import type { ApiRequest, ApiStream } from '../../../shared/kubernetes/client/transport.ts';
import { type HubFeature, hubFeatureNames } from '../../../shared/kubernetes/hub-features.ts';
import { watchStream } from '../../fakes/watch-stream.ts';
import type { RandomValues } from '../random-values.ts';
import { ApiWire, type RawAnswer, type RawRequest } from './api-wire.ts';
import { Hook } from './hook.ts';
import type { Hubside, Outage } from './hub-client.ts';
import { HUB } from './only-hub.ts';
import { type Backup, changesBetween, RestorableStore } from './restorable-store.ts';
import type { Transit } from './transit.ts';

const tooLargeVersion: RawAnswer = {
  status: 504,
  text: JSON.stringify({ reason: 'Timeout', message: 'Too large resource version' }),
};

/** Whether it reads one object not older than a version that the hub has not reached, as after a restore. */
function isAhead({ method, path }: RawRequest, revision: number): boolean {
  const wanted = /[?&]resourceVersion=(\d+)/.exec(path)?.[1];
  return method === 'GET' && wanted !== undefined && Number(wanted) > revision;
}

const otherUser = { username: 'other', manager: 'kubectl' };
/** The share of hubs of which every response takes seconds: of those that are alone, and of those of a large deployment. */
const SLOW_ALONE = 0.08;
const SLOW_AMONG_MANY = 0.01;
/** Of a hub without budgets of moves, which only the scenario `budgets` has. */
const withoutBudgets = hubFeatureNames.filter((feature) => feature !== 'budgets');

/** The share of the hubs of a large deployment that are registered with all optional features; the others have none. */
const FULL_HUBS = 0.1;

/** The deployment that serves the hub. */
export interface HubDeployment {
  readonly clock: VirtualClock;
  readonly settings: Settings;
  readonly transit: Transit;
  readonly bus: LocalBus;
  readonly tablesLost: number;
  loseTable(): void;
  newId(): string;
}

export class SimulatedHub implements Hubside {
  readonly name: string;
  readonly system: HubDeployment;
  readonly random: RandomValues;
  readonly store: RestorableStore;
  readonly hook: Hook;
  readonly features: readonly HubFeature[];
  readonly hubInFlight: number;
  readonly timeoutMs: number;
  readonly slowMs: number;
  readonly effectPrefix: string;
  outage: Outage | undefined;
  /** Requests of the functions other than reads. */
  writes = 0;
  /** True while a request of a function changes the hub and its listeners run. */
  isOurWrite = false;
  /** Old lists that were returned: when, and as of when. */
  readonly oldAnswers: { readonly at: number; readonly asOf: number }[] = [];
  /** Whether an object that can't be parsed was stored. */
  hasPoison = false;
  /** The number of the credential that the API server accepts, and of the one in the secret. */
  accepted = 1;
  inSecret = 1;
  /** True while listeners receive the changes of a restore. */
  isRestoring = false;
  readonly #api: ApiWire;
  #watches: Watches;

  constructor(
    name: string,
    system: HubDeployment,
    { random, hasBudgets }: { readonly random: RandomValues; readonly hasBudgets: boolean },
  ) {
    const isOnly = name === HUB;
    this.name = name;
    this.system = system;
    this.random = random;
    this.effectPrefix = isOnly ? '' : `${name} `;
    this.features = isOnly || random.of('features') < FULL_HUBS ? (hasBudgets ? hubFeatureNames : withoutBudgets) : [];
    this.hubInFlight = system.settings.hubInFlight;
    this.timeoutMs = system.settings.hubTimeoutSeconds * 1000;
    this.slowMs =
      random.of('slow hub') < (isOnly ? SLOW_ALONE : SLOW_AMONG_MANY) ? random.pick('how slow', [1500, 2500, 6000]) : 0;
    const now = () => system.clock.now();
    this.store = new RestorableStore({ now, newUid: () => system.newId() });
    this.#api = new ApiWire(this.store, now);
    this.#watches = new Watches(this.store);
    this.hook = new Hook({
      store: this.store,
      hub: name,
      // A restore has no audit events.
      isOurWrite: () => this.isOurWrite || this.isRestoring,
      publish: (event) => void system.transit.publish([event]),
    });
  }

  get clock() {
    return this.system.clock;
  }

  now(): number {
    return this.clock.now();
  }

  /** Stores objects as an API server without validation would, and without a change for its clients. */
  poison(objects: readonly (readonly [string, KubeObject])[]): void {
    this.hasPoison = true;
    const before = this.store.backup();
    const all = new Map(before.objects);
    for (const [plural, object] of objects) all.set(plural, [...(all.get(plural) ?? []), object]);
    this.store.replace({ objects: all, revision: before.revision });
  }

  answer(request: RawRequest): RawAnswer {
    if (isAhead(request, this.store.revision())) return tooLargeVersion;
    if (request.method !== 'GET') this.writes += 1;
    this.isOurWrite = true;
    try {
      return this.#api.answer(request);
    } finally {
      this.isOurWrite = false;
    }
  }

  /** Replaces all objects by those of the backup; versions continue `ahead` of its version. Then the controllers list all objects. */
  restore(backup: Backup, ahead: number): void {
    const before = this.store.backup();
    this.store.replace({ ...backup, revision: backup.revision + ahead });
    this.isRestoring = true;
    this.store.announce(changesBetween(before, backup));
    this.isRestoring = false;
    this.#api.forgetVersions();
    this.#watches = new Watches(this.store);
  }

  answerFromCache(request: RawRequest, name: string): RawAnswer {
    if (isAhead(request, this.store.revision())) return tooLargeVersion;
    return this.#api.answerFromCache(request, this.random.of(`version ${name}`));
  }

  watch(request: ApiRequest): ApiStream {
    return watchStream(request, this.store, this.#watches);
  }

  answeredAsOf(asOf: number): void {
    this.oldAnswers.push({ at: this.now(), asOf });
  }

  /** A write by another client just before a write of the same object. If it returns false, the hub writes an annotation. */
  writeFirst: (plural: string, object: KubeObject) => boolean = () => false;

  touch(path: string): void {
    const { store } = this;
    const [, , , , ...rest] = path.split('/');
    const [namespace = '', plural = '', name = ''] = rest[0] === 'namespaces' ? rest.slice(1) : ['', ...rest];
    const object = store.get(plural, { namespace, name });
    if (object === undefined || this.writeFirst(plural, object)) return;
    const body = { metadata: { annotations: { 'example.com/touched': String(store.revision()) } } };
    store.patch(plural, { namespace, name }, { type: 'merge', body }, otherUser);
  }
}
