/** The deployed receiver of audit events without a network: the real handler on real connections, with a registry and a bus in the process. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { task as admitChange } from '../../functions/cluster-hook/admit-change.lambda.ts';
import { HubRecords } from '../../shared/aws/hub-records.ts';
import { RegistryHookAccess } from '../../shared/aws/registry-hook-access.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import type { EventBus } from '../../shared/bus/event-bus.ts';
import { parseSettings, type SettingName } from '../../shared/core/settings.ts';
import { type CallerCredentials, callersOf } from '../../shared/kubernetes/hook-callers.ts';
import { onHttp } from '../../shared/runtime/http-task.ts';
import { hubRecord } from './hub-records.ts';
import { MemoryHubRegistry } from './stores/memory-hub-registry.ts';
import type { Line } from './telemetry.ts';

interface ConnectedCallers extends Partial<CallerCredentials> {
  readonly account?: string;
}

export interface HookSceneOptions {
  /** Hub name → what its connection states about the hook's callers. */
  readonly hubs: Readonly<Record<string, ConnectedCallers>>;
  readonly bus?: EventBus;
  readonly settings?: Partial<Record<SettingName, number>>;
  /** Keeps no lines, for a test that measures memory. */
  readonly quiet?: boolean;
}

export interface HookCall {
  readonly hub?: string;
  readonly body: string | Buffer;
  readonly bearer?: string;
  readonly subject?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HookAnswer {
  readonly status: number | undefined;
  readonly answer: Record<string, unknown>;
  readonly headers: Record<string, unknown> | undefined;
}

export interface HookScene {
  readonly published: readonly EvenkeelEvent[];
  readonly lines: readonly Line[];
  /** Metric → sum of what was counted. */
  readonly counts: ReadonlyMap<string, number>;
  /** Milliseconds; a test sets it. */
  readonly clock: { now: number };
  post(call: HookCall): Promise<HookAnswer>;
}

export function hookScene({ hubs, bus, settings = {}, quiet = false }: HookSceneOptions): HookScene {
  const published: EvenkeelEvent[] = [];
  const lines: Line[] = [];
  const counts = new Map<string, number>();
  const clock = { now: Date.parse('2026-11-21T10:00:00Z') };
  const now = () => clock.now;
  const taking: EventBus = { publish: async (events) => void published.push(...events) };
  const handler = onHttp(
    admitChange,
    { hookAccess: () => accessOf(hubs, now), bus: () => bus ?? taking },
    {
      context: () => ({
        settings: parseSettings(settings),
        telemetry: {
          outcome: (code, fields) => void (quiet || lines.push({ code, fields })),
          count: (metric, value) => void counts.set(metric, (counts.get(metric) ?? 0) + value),
          begin: () => undefined,
        },
        now,
        newId: () => 'id',
        timeLeft: () => Number.POSITIVE_INFINITY,
      }),
    },
  );
  const post = async (call: HookCall): Promise<HookAnswer> => {
    const { statusCode, body = '', headers } = await handler(requestOf(call), {} as Context);
    return { status: statusCode, answer: JSON.parse(body) as Record<string, unknown>, headers };
  };
  return { published, lines, counts, clock, post };
}

function accessOf(hubs: Readonly<Record<string, ConnectedCallers>>, now: () => number): RegistryHookAccess {
  const records = Object.entries(hubs).map(([name, { account, ...callers }]) =>
    hubRecord(name, { account, callers: callersOf(name, { hookTokens: [], ...callers }) }),
  );
  const registry = new MemoryHubRegistry(...records);
  return new RegistryHookAccess(new HubRecords({ registry, now, onStale: () => undefined }));
}

/** As the HTTP API hands it over. Packed bytes come in base64. */
function requestOf({ hub = 'karmada', body, bearer, subject, headers = {} }: HookCall): APIGatewayProxyEventV2 {
  const request = {
    pathParameters: { hub },
    headers: {
      'content-type': 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    requestContext: { ...(subject !== undefined && { authentication: { clientCert: { subjectDN: subject } } }) },
    body: body.toString(typeof body === 'string' ? 'utf8' : 'base64'),
    isBase64Encoded: typeof body !== 'string',
  };
  return request as unknown as APIGatewayProxyEventV2;
}

export interface AuditParts {
  readonly id?: string;
  readonly verb?: string;
  readonly username?: string;
  readonly at?: string;
}

/** An audit event of level Metadata about a rebalancer, as an API server writes it. */
export function auditEventOf(name: unknown, { id, verb = 'create', username = 'admin', at }: AuditParts = {}): object {
  return {
    level: 'Metadata',
    auditID: id ?? `audit-of-${JSON.stringify(name)}`,
    stage: 'ResponseComplete',
    requestURI: '/apis/apps.karmada.io/v1alpha1/workloadrebalancers',
    verb,
    user: { username, groups: ['system:authenticated'] },
    sourceIPs: ['10.0.0.1'],
    userAgent: 'kubectl/v1.35.0',
    objectRef: { resource: 'workloadrebalancers', name, apiGroup: 'apps.karmada.io', apiVersion: 'v1alpha1' },
    responseStatus: { metadata: {}, code: 201 },
    requestReceivedTimestamp: at ?? '2026-11-21T10:00:00.000000Z',
    stageTimestamp: at ?? '2026-11-21T10:00:00.000000Z',
  };
}

export function eventList(items: readonly unknown[]): string {
  return JSON.stringify({ kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {}, items });
}
