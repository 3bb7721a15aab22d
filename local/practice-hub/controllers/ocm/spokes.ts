/** The spokes of a practice hub that plays an Open Cluster Management hub, with the hub's controllers for them: what stories and tests drive. */
import type { Change, ObjectStore } from '../../store/objects.ts';
import { createMemberCluster } from '../member-cluster.ts';
import type { WorkLoop } from '../work-loop.ts';
import { joinedSpokes, registered, reportAvailable, reportUnreachable } from './cluster-reports.ts';
import { createHubRegistration, makeSets } from './hub-registration.ts';
import { readManagedCluster } from './managed-cluster.ts';
import { createPlacement } from './placement.ts';
import { createSpokeCluster, type SpokeCluster, type SpokeOptions } from './spoke-cluster.ts';
import { spokeKinds } from './spoke-kinds.ts';
import { createWorkAgents } from './work-agents.ts';

/** An object on a spoke. */
export interface SpokeWorkload {
  /** Deployment, where left out. */
  readonly kind?: string;
  /** "apps", where left out. */
  readonly group?: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Spokes {
  readonly names: readonly string[];
  /** A new spoke, healthy, empty and in the default set. */
  join(spoke: SpokeOptions): void;
  /** Its pods are lost and its agents are silent; a moment later the hub takes it for unreachable. */
  fail(name: string): void;
  recover(name: string): void;
  setCapacity(name: string, slots: number): void;
  setReadyDelay(name: string, ms: number): void;
  /** Somebody scales the object there, past the hub. */
  scale(name: string, workload: SpokeWorkload, replicas: number): void;
  /** What the object asks for there, and how many of it are ready: none where it is not there. */
  replicas(name: string, workload: SpokeWorkload): { readonly replicas: number; readonly ready: number };
}

export interface SpokesOptions {
  readonly store: ObjectStore;
  readonly loop: WorkLoop;
  readonly now: () => number;
  readonly spokes: readonly SpokeOptions[];
  /** How long a spoke may be silent. */
  readonly unreachableMs?: number;
  /** How long feedback that is polled may be behind. */
  readonly pollMs?: number;
}

export interface SpokeControllers {
  readonly spokes: Spokes;
  onChange(change: Change): void;
}

const UNREACHABLE_MS = 1000;
const POLL_MS = 1000;

export function createSpokes({ store, loop, now, spokes: started, ...rest }: SpokesOptions): SpokeControllers {
  const { unreachableMs = UNREACHABLE_MS, pollMs = POLL_MS } = rest;
  const byName = new Map<string, SpokeCluster>();
  const silence = new Map<string, () => void>();
  const registration = createHubRegistration({ store, loop, now });
  const placement = createPlacement({ store, loop, now });
  const agents = createWorkAgents({ store, loop, now, spokes: byName, pollMs });
  const controllers = [registration, placement, agents];

  loop.afterRound(() => {
    for (const spoke of byName.values()) {
      const ids = spoke.member.failed ? [] : spoke.member.startWaiting();
      if (ids.length > 0) agents.changed(spoke, ids);
    }
  });

  function spokeCalled(name: string): SpokeCluster {
    const found = byName.get(name);
    if (found === undefined) throw new Error(`there is no spoke ${name}; there are: ${[...byName.keys()].join(', ')}`);
    return found;
  }

  function join(joining: SpokeOptions): void {
    const { name, kinds = [], claims = {}, ...options } = joining;
    if (byName.has(name)) throw new Error(`there is a spoke ${name} already; join one by another name`);
    const onReady = (ids: readonly string[]) => agents.changed(spoke, ids);
    const member = createMemberCluster({ name, ...options }, { now, later: loop.later, onReady });
    const spoke: SpokeCluster = createSpokeCluster(member, [...spokeKinds, ...kinds]);
    byName.set(name, spoke);
    if (readManagedCluster(registered(store, joining)).available === 'Unknown') spoke.member.fail();
    else hearFrom(spoke, claims);
    agents.revisit(spoke);
  }

  function hearFrom({ member }: SpokeCluster, claims?: SpokeOptions['claims']): void {
    silence.get(member.options.name)?.();
    silence.delete(member.options.name);
    reportAvailable({ store, now: now() }, member, claims);
  }

  const known = new Set(started.map(({ name }) => name));
  const joined = joinedSpokes(store).filter(({ name }) => !known.has(name));
  if (started.length + joined.length > 0) makeSets(store);
  for (const each of [...started, ...joined]) join(each);
  for (const plural of ['managedclusters', 'placements']) {
    for (const object of store.list(plural)) {
      for (const controller of controllers) controller.onChange({ type: 'ADDED', plural, object });
    }
  }

  return {
    onChange: (change) => controllers.forEach((controller) => controller.onChange(change)),
    spokes: {
      get names() {
        return [...byName.keys()];
      },
      join(spoke) {
        makeSets(store);
        join(spoke);
      },
      fail(name) {
        spokeCalled(name).member.fail();
        silence.get(name)?.();
        const cancel = loop.later(unreachableMs, () => {
          silence.delete(name);
          reportUnreachable({ store, now: now() }, name);
        });
        silence.set(name, cancel);
      },
      recover(name) {
        const spoke = spokeCalled(name);
        spoke.member.recover();
        hearFrom(spoke);
        agents.revisit(spoke);
      },
      setCapacity(name, slots) {
        const spoke = spokeCalled(name);
        spoke.member.setCapacity(slots);
        if (!spoke.member.failed) hearFrom(spoke);
        agents.changed(spoke, spoke.member.workloads());
      },
      setReadyDelay: (name, ms) => spokeCalled(name).member.setReadyDelay(ms),
      scale(name, workload, replicas) {
        const spoke = spokeCalled(name);
        if (!spoke.scale(idIn(workload), replicas)) {
          throw new Error(`there is no ${idIn(workload)} to scale on spoke ${name}`);
        }
        agents.changed(spoke, [idIn(workload)]);
      },
      replicas: (name, workload) => spokeCalled(name).counts(idIn(workload)),
    },
  };
}

function idIn({ kind = 'Deployment', group = 'apps', namespace, name }: SpokeWorkload): string {
  return `${group}/${kind}/${namespace}/${name}`;
}
