/** A fleet whose clusters are EKS clusters, with policies for events from outside; and what was sent, as an independent observer knows it. */
import { registerCluster } from '../../../../local/practice-hub/controllers/members.ts';
import { toTimestamp } from '../../../../shared/core/time.ts';
import type { InstancePlace } from '../../../../shared/external-events/instances.ts';
import { user } from '../../../fakes/practice-fleet.ts';
import type { System } from '../../system/system.ts';
import { CAPACITY, FleetLife } from '../fleet/fleet-life.ts';
import { memberNames } from '../fleet/parts.ts';
import type { Act, Travel } from './acts.ts';
import { Alertmanager } from './alertmanager.ts';
import type { Incident, Report } from './incidents.ts';
import {
  type ClusterPlace,
  clusterPatch,
  entriesOf,
  eventsOf,
  type Identity,
  nodeSummary,
  placeOf,
  type SentEvent,
  taggedCluster,
} from './parts.ts';
import { Timeline } from './timeline.ts';

const SECOND = 1000;
const MINUTE = 60_000;
const policyKind = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy' };

export class EventLife {
  readonly life: FleetLife;
  readonly incidents = new Map<string, Incident>();
  /** Undefined while there is no such Cluster. */
  readonly places = new Map<string, Timeline<ClusterPlace | undefined>>();
  readonly #system: System;
  readonly #alerts: Alertmanager;
  #sent = 0;

  constructor(system: System) {
    this.#system = system;
    this.life = new FleetLife(system, { reports: { drains: true, externalEvents: true }, isDescheduled: false });
    this.#alerts = new Alertmanager(system, (name, place, report) =>
      this.#report(`Alert ${name}`, { type: 'Alert', place }, report),
    );
    system.instances = { clustersOf: async (place, instances) => clustersOf(place, instances) };
    for (const member of memberNames) this.#identify(member, 'own');
  }

  calm(): void {
    for (const member of memberNames) this.act({ do: 'join cluster', member });
    this.life.calm();
    // An operator redrives the events that could not be handled.
    const { deadLetters, bus } = this.#system;
    const lost = deadLetters.filter(({ queue }) => queue === 'receive-event');
    for (const [{ name }, queue] of bus.queues)
      if (name === 'receive-event') for (const { body } of lost) queue.send(body);
  }

  /** What a lost table had: it may be lost, or not be handled yet. */
  doubtAll(): void {
    for (const { reports } of this.incidents.values()) for (const report of reports) report.isSure = false;
  }

  act(act: Act): void {
    const { store } = this.#system.hub;
    switch (act.do) {
      case 'send':
        return this.#send(act);
      case 'own event':
        return this.#sendOwn(act);
      case 'garbage':
        return this.#system.bus.receive({ id: `e${++this.#sent}`, source: 'aws.ec2', 'detail-type': 'x', detail: {} });
      case 'alert':
        return this.#alerts.set(act.name, { cluster: act.member, isFiring: act.isFiring });
      case 'policy for events':
        return this.#policy(act);
      case 'delete policy for events':
        store.delete('rebalancepolicies', { namespace: '', name: act.name }, user);
        return;
      case 'identity':
        return this.#identify(act.member, act.identity);
      case 'delete cluster':
        store.delete('clusters', { namespace: '', name: act.member }, user);
        this.places.get(act.member)?.set(this.#system.clock.now(), undefined);
        return;
      case 'join cluster':
        return this.#join(act.member);
      case 'lose table':
        this.doubtAll();
        return this.life.act(act);
      default:
        return this.life.act(act);
    }
  }

  #policy({ name, entries, suspend }: Extract<Act, { do: 'policy for events' }>): void {
    const { store } = this.#system.hub;
    const key = { namespace: '', name };
    const triggers = { externalEvents: entriesOf[entries] };
    const strategy = { coolDown: '0s', waves: { size: name === 'aws' ? 200 : 2, readyWithin: '10m' } };
    const spec = { suspend, triggers, strategy };
    if (store.get('rebalancepolicies', key) === undefined)
      store.create('rebalancepolicies', { ...policyKind, metadata: { name }, spec }, user);
    else store.patch('rebalancepolicies', key, { type: 'merge', body: { spec } }, user);
  }

  #identify(member: string, identity: Identity): void {
    const { store, clock } = this.#system.hub;
    const key = { namespace: '', name: member };
    if (store.get('clusters', key) === undefined) return;
    store.patch('clusters', key, { type: 'merge', body: clusterPatch(member, identity) }, user);
    const body = { status: nodeSummary(member) };
    store.patch('clusters', key, { type: 'merge', body, subresource: 'status' }, user);
    const places = this.places.get(member) ?? new Timeline();
    this.places.set(member, places);
    places.set(clock.now(), placeOf(member, identity));
  }

  #join(member: string): void {
    const { store } = this.#system.hub;
    if (store.get('clusters', { namespace: '', name: member }) !== undefined) return;
    registerCluster(store, { name: member, capacity: CAPACITY, readyDelayMs: 2 * SECOND });
    this.#identify(member, 'own');
    // Reports its readiness.
    this.life.fleet.recover(member);
    this.life.fleet.setCapacity(member, CAPACITY);
  }

  #send({ do: _, lateMs, copies, ...sent }: { readonly do: 'send' } & SentEvent & Travel): void {
    const { clock } = this.#system;
    const time = Math.floor(clock.now() / SECOND) * SECOND;
    for (const { event, place, key } of eventsOf(sent, toTimestamp(time))) {
      const isAnnounced = sent.type === 'HealthScheduledChange' && sent.phase === 'begin';
      const announced = { from: time + 5 * MINUTE, until: time + 30 * MINUTE };
      const report = { isEnd: sent.phase === 'end', time, ...(isAnnounced && { announced }) };
      this.#deliver(event, { lateMs, copies }, () => this.#report(key, { type: sent.type, place }, report));
    }
  }

  #sendOwn({ stage, member, lateMs, copies }: Extract<Act, { do: 'own event' }>): void {
    const now = this.#system.clock.now();
    const time = Math.floor(now / SECOND) * SECOND;
    const of = { source: 'deploy', 'detail-type': 'Maintenance', account: '111122223333', region: 'eu-central-1' };
    const detail = { stage, ...(member !== undefined && { cluster: member }) };
    const place = member === undefined ? {} : { cluster: member };
    this.#deliver({ ...of, time: toTimestamp(time), detail }, { lateMs, copies }, (id) =>
      this.#report(`Other ${id}`, { type: 'Other', place, stage }, { isEnd: false, time }),
    );
  }

  /** The copies arrive within the same time. */
  #deliver(event: object, { lateMs, copies }: Travel, onArrival: (id: string) => void): void {
    const { clock, bus } = this.#system;
    this.#sent += 1;
    const id = `e${this.#sent}`;
    for (let copy = 1; copy <= copies; copy += 1)
      clock.after((lateMs * copy) / copies, () => {
        onArrival(id);
        bus.receive({ ...event, id });
      });
  }

  #report(key: string, of: Omit<Incident, 'reports'>, report: Omit<Report, 'arrivedAt' | 'isSure'>): void {
    const incident = this.incidents.get(key) ?? { ...of, reports: [] };
    this.incidents.set(key, incident);
    const { isEnd, time } = report;
    const known = incident.reports.find((each) => each.isEnd === isEnd && each.time === time && each.isSure);
    if (known === undefined) incident.reports.push({ ...report, arrivedAt: this.#system.clock.now(), isSure: true });
  }
}

function clustersOf(place: InstancePlace, instances: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    instances.flatMap((instance) => {
      const cluster = taggedCluster(instance, place);
      return cluster === undefined ? [] : [[instance, cluster] as const];
    }),
  );
}
