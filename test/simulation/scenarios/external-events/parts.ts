/** What the member clusters are on AWS, the policies, and how events are made. */
import {
  AUTO_SCALING_GROUPS,
  CAPACITY_RESERVATIONS,
  EKS_CLUSTER,
  ZONES,
} from '../../../../shared/external-events/aws-cluster.ts';
import { ACCOUNT, REGION, type SampleType, samples } from '../../../external-events/samples.ts';

const OTHER_ACCOUNT = '444455556666';
const OTHER_REGION = 'us-east-1';

/** A cluster as its Cluster object describes it: without `account` its account is not known. */
export interface ClusterPlace {
  readonly account?: string;
  readonly region?: string;
  readonly eksCluster: string;
  readonly zones: readonly string[];
  readonly group: string;
  readonly reservation: string;
  /** Absent: it does not report them. */
  readonly nodes?: number;
}

/** Where an event happens. */
export interface EventPlace {
  readonly account?: string;
  readonly region?: string;
  readonly eksCluster?: string;
  readonly zone?: string;
  readonly group?: string;
  readonly reservation?: string;
  readonly instance?: string;
  /** The member cluster that its detail names. */
  readonly cluster?: string;
}

/** Of which account, region and cluster an event is. */
export type Origin = 'it' | 'another account' | 'another region' | 'an unknown cluster';

export type SentEvent = {
  readonly type: SampleType;
  readonly phase: 'begin' | 'end';
  readonly member: string;
  readonly origin: Origin;
  /** Distinguishes incidents of AWS Health, updates of EKS, zones, and nodes; for instances of so many nodes from it. */
  readonly incident: number;
  readonly nodes: number;
  /** Whether the detail names the member cluster. */
  readonly isNamed: boolean;
};
/** What the annotation of a Cluster is set to. */
export type Identity = 'own' | 'another account' | 'none';

const own = { account: ACCOUNT, region: REGION };
const members: Readonly<Record<string, ClusterPlace>> = {
  member1: {
    ...{ ...own, eksCluster: 'prod', zones: ['euc1-az2', 'euc1-az3'], nodes: 4 },
    ...{ group: 'workers-1', reservation: 'cr-1' },
  },
  member2: {
    ...{ ...own, eksCluster: 'shop', zones: ['euc1-az3'], nodes: 3 },
    ...{ group: 'workers-2', reservation: 'cr-2' },
  },
  // It has no annotation of an EKS cluster, and reports no nodes.
  member3: {
    ...{ region: 'eu-west-1', eksCluster: 'member3', zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] },
    ...{ group: 'workers-3', reservation: 'cr-3' },
  },
};

function ofMember(member: string): ClusterPlace {
  const found = members[member];
  if (found === undefined) throw new Error(`no member ${member}`);
  return found;
}

export function placeOf(member: string, identity: Identity): ClusterPlace {
  const place = ofMember(member);
  if (identity === 'own' || place.account === undefined) return place;
  if (identity === 'another account') return { ...place, account: OTHER_ACCOUNT };
  const { account: _, region: __, ...unknown } = place;
  return { ...unknown, eksCluster: member };
}

/** The merge patch of its Cluster, without the status. */
export function clusterPatch(member: string, identity: Identity) {
  const place = ofMember(member);
  const { account, region, eksCluster } = placeOf(member, identity);
  const arn = account === undefined ? null : `arn:aws:eks:${region}:${account}:cluster/${eksCluster}`;
  const isNamed = place.account === undefined;
  const annotations = {
    [EKS_CLUSTER]: arn,
    ...(!isNamed && { [ZONES]: place.zones.join(',') }),
    [AUTO_SCALING_GROUPS]: `other, ${place.group}`,
    [CAPACITY_RESERVATIONS]: place.reservation,
  };
  return { metadata: { annotations }, ...(isNamed && { spec: { region: place.region, zones: place.zones } }) };
}

/** Entries of a policy, by name. */
export type Entries = keyof typeof entriesOf;

export const entriesOf = {
  spot: [{ types: ['SpotInterruption', 'RebalanceRecommendation'], limit: '90m' }],
  drains: [
    { types: ['SpotInterruption', 'CapacityBlockExpiration'], limit: '15m' },
    { types: ['ZonalShift', 'HealthIssue', 'HealthScheduledChange', 'Alert'], limit: '180m' },
  ],
  'lasting on member1': [
    {
      types: ['SpotInterruption', 'ZonalShift', 'HealthIssue', 'LaunchFailure'],
      limit: '1440m',
      clusters: ['member1'],
    },
  ],
  cordons: [{ types: ['LaunchFailure', 'Alert', 'SpotInterruption', 'ZonalShift'], action: 'Cordon', limit: '150m' }],
  rebalances: [
    { types: ['EksUpdate', 'LaunchFailure', 'HealthIssue'], action: 'Rebalance', limit: '1440m' },
    { types: ['RebalanceRecommendation'], action: 'Cordon', limit: '10m' },
  ],
  'own events': [
    { match: "event.source == 'deploy' && event.detail.stage == 'prod'", clusters: ['member2'], limit: '10m' },
    { match: "event.source == 'deploy' && event.detail.stage == 'all'", limit: '30m' },
  ],
} as const satisfies Readonly<Record<string, readonly Entry[]>>;

/** An entry of `externalEvents`, as it stands on the hub. */
export interface Entry {
  readonly types?: readonly string[];
  readonly match?: string;
  readonly clusters?: readonly string[];
  readonly action?: 'Drain' | 'Cordon' | 'Rebalance';
  readonly limit: `${number}m`;
}

interface MadeEvent {
  readonly event: object;
  readonly place: EventPlace;
  /** The same for the begin and the end of an incident. */
  readonly key: string;
}

/** The events of an act: one for each node of an interruption. */
export function eventsOf(sent: SentEvent, time: string): readonly MadeEvent[] {
  const isOfNodes = sent.type === 'SpotInterruption' || sent.type === 'RebalanceRecommendation';
  const count = isOfNodes ? sent.nodes : 1;
  return Array.from({ length: count }, (_, i) => eventOf({ ...sent, incident: sent.incident + i }, time));
}

function eventOf({ type, phase, member, origin, incident, isNamed }: SentEvent, time: string): MadeEvent {
  const at = ofMember(member);
  const isUnknown = origin === 'an unknown cluster';
  const account = origin === 'another account' ? OTHER_ACCOUNT : ACCOUNT;
  const region = origin === 'another region' ? OTHER_REGION : (at.region ?? REGION);
  const suffix = origin === 'it' ? '' : `-${origin.split(' ').at(-1)}`;
  const eksCluster = isUnknown ? 'other' : at.eksCluster;
  const zone = isUnknown ? 'euc1-az1' : (at.zones[incident % at.zones.length] ?? '');
  const group = isUnknown ? 'unknown' : at.group;
  const reservation = `${at.reservation}${suffix}`;
  const instance = instanceId({ member, origin, node: incident % (at.nodes ?? 5) });
  const of = { time, account, region };
  const { begin, end = begin } = samples[type] as { begin: typeof samples.HealthIssue.begin; end?: never };
  const make = (phase === 'end' ? end : begin) as typeof begin;
  // Accounts that an event of AWS Health affects have one ARN.
  const number = `${member}-${incident}`;
  const named = { cluster: eksCluster, incident: number, update: number };
  const event = make({ ...of, ...named, zone, group, reservation, instance }) as { readonly detail: object };
  const detail = { ...event.detail, ...(isNamed && { cluster: member }) };
  const places: Readonly<Record<typeof type, object>> = {
    SpotInterruption: { instance, ...(!isUnknown && { eksCluster }) },
    RebalanceRecommendation: { instance, ...(!isUnknown && { eksCluster }) },
    HealthIssue: { eksCluster },
    HealthScheduledChange: { eksCluster },
    ZonalShift: { zone },
    EksUpdate: { eksCluster },
    CapacityBlockExpiration: { reservation },
    LaunchFailure: { group },
  };
  const place = { account, region, ...places[type], ...(isNamed && { cluster: member }) };
  const isNumbered = type.startsWith('Health') || type === 'EksUpdate';
  const key = JSON.stringify([type, place, isNumbered ? number : '']);
  return { event: { ...event, detail }, place, key };
}

const origins: readonly Origin[] = ['it', 'another account', 'another region', 'an unknown cluster'];
const memberNames = Object.keys(members);

function instanceId(of: { readonly member: string; readonly origin: Origin; readonly node: number }): string {
  return `i-0${memberNames.indexOf(of.member)}${origins.indexOf(of.origin)}${of.node}`;
}

/** The EKS cluster of an instance by its tags, which are read in the account and region of its event; undefined if it has none. */
export function taggedCluster(instance: string, { account, region }: Required<Pick<EventPlace, 'account' | 'region'>>) {
  const [, memberIndex = '', originIndex = ''] = /^i-0(\d)(\d)\d$/.exec(instance) ?? [];
  const [member, origin] = [memberNames[Number(memberIndex)], origins[Number(originIndex)]];
  if (member === undefined || origin === undefined || origin === 'an unknown cluster') return undefined;
  const at = ofMember(member);
  const isThere =
    account === (origin === 'another account' ? OTHER_ACCOUNT : ACCOUNT) &&
    region === (origin === 'another region' ? OTHER_REGION : at.region);
  return isThere ? at.eksCluster : undefined;
}

export const nodeSummary = (member: string) => {
  const { nodes } = ofMember(member);
  return nodes === undefined ? {} : { nodeSummary: { totalNum: nodes, readyNum: nodes } };
};
