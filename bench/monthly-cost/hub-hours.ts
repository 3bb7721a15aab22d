/** Plays the hours of a hub on the virtual clock: an idle one, one with changed bindings, and what is due less often than each hour. */
import type { ChildProcess } from 'node:child_process';
import { DeschedulingDue, HubSchedulesDue, HubTokenCheckDue, ResyncDue } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { settingDefinitions } from '../../shared/core/settings.ts';
import { SECOND, toTimestamp } from '../../shared/core/time.ts';
import { askProcess } from '../ask-process.ts';
import { HUB } from '../function-cost/deployment.ts';
import type { HubCounts } from './hub-counts.ts';
import { ACCOUNT, type CountedDeployment } from './hub-deployment.ts';
import type { HubRequest } from './hub-process.ts';

const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** A multiple of the interval of resync. */
const PUBLISHED_MINUTES = 10;
const ANSWER_MS = 60_000;

/** Something that happens in the hour. */
interface HourStep {
  readonly at: number;
  readonly act: () => Promise<void>;
}

export async function playHour(deployment: CountedDeployment, changes: readonly HourStep[] = []): Promise<HubCounts> {
  const { clock } = deployment;
  const { resyncMinutes } = settingDefinitions;
  const due = (minutes: number, event: EvenkeelEvent): readonly HourStep[] =>
    Array.from({ length: 60 / minutes }, (_, i) => ({
      at: (i + 1) * minutes * MINUTE,
      act: () => deployment.handle(event),
    }));
  const steps = [...due(resyncMinutes.default, ResyncDue.of({ hub: HUB })), ...changes];
  const began = clock.now();
  for (const { at, act } of steps.sort((a, b) => a.at - b.at)) {
    clock.advance(Math.max(0, began + at - clock.now()));
    await act();
  }
  clock.advance(Math.max(0, began + HOUR - clock.now()));
  return deployment.take();
}

/**
 * The changes of an hour, evenly spread, each of another binding: its workload is scaled, the scheduler assigns its replicas, and Karmada reports them.
 * The API server sends what is written within 200 ms in one batch (docs/start/connect-a-hub.md): Karmada's write, ours, and Karmada's report.
 */
export function changesOf(deployment: CountedDeployment, hub: ChildProcess, count: number): readonly HourStep[] {
  const ask = (input: HubRequest) => askProcess(hub, input, ANSWER_MS);
  return Array.from({ length: count }, (_, index) => ({
    at: ((index + 0.5) / count) * HOUR,
    act: async () => {
      const written = (user: string, verb: string, subresource?: 'status') =>
        auditEvent({ index, user, verb, subresource, at: deployment.clock.now() });
      await ask({ do: 'scale', index });
      await deployment.postAudit([written('system:karmada:controller', 'update')]);
      await deployment.postAudit([written(ACCOUNT, 'patch'), written(ACCOUNT, 'patch', 'status')]);
      await ask({ do: 'report', index });
      await deployment.postAudit([written('system:karmada:controller', 'update', 'status')]);
    },
  }));
}

/** The first resync compares every binding, as one each six hours does. The token is checked as often. */
export async function playSixHourly(deployment: CountedDeployment): Promise<HubCounts> {
  await deployment.handle(ResyncDue.of({ hub: HUB }));
  await deployment.handle(HubTokenCheckDue.of({ hub: HUB }));
  return deployment.take();
}

/** One run of the descheduler on a hub with an estimator and no pending replicas. */
export async function playSweep(deployment: CountedDeployment): Promise<HubCounts> {
  deployment.setEstimator('pods');
  deployment.clock.advance(HOUR);
  await deployment.handle(DeschedulingDue.of({ hub: HUB }));
  return deployment.take();
}

/** An hour of resync/publish-due, by ten minutes of it, with the events that invoke it. Those that it publishes are counted in the hours of their hubs. */
export async function publishedHour(deployment: CountedDeployment): Promise<HubCounts> {
  const minute = async () => {
    deployment.clock.advance(MINUTE);
    await deployment.handle(HubSchedulesDue.of({}), false);
  };
  // The first one publishes everything at once.
  await minute();
  deployment.take();
  for (let passed = 0; passed < PUBLISHED_MINUTES; passed += 1) await minute();
  return scaled(deployment.take(), 60 / PUBLISHED_MINUTES);
}

function scaled(counts: HubCounts, times: number): HubCounts {
  const numbers = Object.entries(counts).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value * times] as const] : [],
  );
  const invocations = Object.entries(counts.invocations).map(
    ([name, { count, ms }]) => [name, { count: count * times, ms: ms * times }] as const,
  );
  return { ...counts, ...Object.fromEntries(numbers), invocations: Object.fromEntries(invocations) };
}

interface ReplayedWrite {
  readonly index: number;
  readonly user: string;
  readonly verb: string;
  readonly subresource: 'status' | undefined;
  readonly at: number;
}

let audits = 0;

function auditEvent({ index, user, verb, subresource, at }: ReplayedWrite): object {
  const [group, resource, namespace] = ['work.karmada.io', 'resourcebindings', 'shop'];
  const name = `web-${index}-deployment`;
  audits += 1;
  return {
    ...{ kind: 'Event', level: 'Metadata', auditID: `8f5c1b7e-1c1a-4d6f-9b1c-${String(audits).padStart(12, '0')}` },
    ...{ stage: 'ResponseComplete', verb },
    requestURI: `/apis/${group}/v1alpha2/namespaces/${namespace}/${resource}/${name}${subresource ? `/${subresource}` : ''}`,
    user: { username: user, groups: ['system:authenticated'] },
    sourceIPs: ['10.0.0.1'],
    userAgent: 'karmada-controller-manager/v1.15.0 (linux/amd64)',
    objectRef: { resource, namespace, name, apiGroup: group, apiVersion: 'v1alpha2', subresource },
    responseStatus: { code: 200 },
    requestReceivedTimestamp: toTimestamp(at),
    stageTimestamp: toTimestamp(at),
  };
}
