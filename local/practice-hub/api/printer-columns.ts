/** The columns that `kubectl get` shows of each kind, as its real server has them, and how a cell is read from an object. */

import { fromTimestamp, type Instant, SECOND } from '../../../shared/core/time.ts';
import type { CrdColumn } from '../../../shared/kubernetes/crd-parts.ts';
import type { KubeObject } from '../store/objects.ts';
import { fieldAt } from '../store/structural-schema.ts';
import { valuesAt } from './json-path.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  /** 1: shown by `-o wide` only. */
  readonly priority: 0 | 1;
  readonly format?: 'name';
  cell(object: KubeObject, now: Instant): string | number | boolean | null;
}

type ColumnCell = PrinterColumn['cell'];

function column(name: string, cell: ColumnCell, rest: Partial<PrinterColumn> = {}): PrinterColumn {
  return { name, type: 'string', priority: 0, ...rest, cell };
}

function textAt(object: unknown, ...path: readonly string[]): string | null {
  const value = fieldAt(object, ...path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function cellOf(value: unknown, type: CrdColumn['type']): ReturnType<ColumnCell> {
  if (typeof value !== 'boolean' && typeof value !== 'number' && typeof value !== 'string') return null;
  return type === 'string' ? String(value) : value;
}

function countAt(object: unknown, ...path: readonly string[]): number {
  const value = fieldAt(object, ...path);
  return typeof value === 'number' ? value : 0;
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3600 },
  { name: 'm', seconds: 60 },
  { name: 's', seconds: 1 },
];

/** A span as kubectl writes it: two units while small (5m30s, 3h20m, 4d7h), one when the second no longer matters. */
function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / SECOND);
  if (seconds < 120) return `${seconds}s`;
  if (seconds >= 2 * 365 * 86_400) return `${Math.floor(seconds / (365 * 86_400))}y`;
  const first = seconds < 3 * 3600 ? 2 : seconds < 48 * 3600 ? 1 : 0;
  const [large, small] = [units[first], units[first + 1]];
  if (!large || !small) return `${seconds}s`;
  const count = Math.floor(seconds / large.seconds);
  const rest = Math.floor((seconds % large.seconds) / small.seconds);
  const bothUntil = { 2: 10, 1: 8, 0: 8 }[first] ?? 0;
  return count < bothUntil && rest > 0 ? `${count}${large.name}${rest}${small.name}` : `${count}${large.name}`;
}

function since(timestamp: unknown, now: Instant): string {
  const instant = typeof timestamp === 'string' ? fromTimestamp(timestamp) : undefined;
  return instant === undefined ? '<unknown>' : humanDuration(now - instant);
}

const name = column('Name', ({ metadata }) => metadata.name, { format: 'name' });
const age = column('Age', ({ metadata }, now) => since(metadata.creationTimestamp, now), { type: 'date' });

export const defaultColumns: readonly PrinterColumn[] = [name, age];

function sizeAt(object: unknown, name: string): number {
  return Object.keys(fieldAt(object, name) ?? {}).length;
}

function listAt(object: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = fieldAt(object, ...path);
  return Array.isArray(value) ? value : [];
}

export const configMapColumns: readonly PrinterColumn[] = [
  name,
  column('Data', (object) => sizeAt(object, 'data') + sizeAt(object, 'binaryData')),
  { ...age, type: 'string' },
];

export const secretColumns: readonly PrinterColumn[] = [
  name,
  column('Type', (object) => textAt(object, 'type')),
  column('Data', (object) => sizeAt(object, 'data')),
  { ...age, type: 'string' },
];

const podContainerStatuses = (pod: KubeObject) => listAt(pod, 'status', 'containerStatuses');

export const podColumns: readonly PrinterColumn[] = [
  name,
  column('Ready', (pod) => {
    const ready = podContainerStatuses(pod).filter((one) => fieldAt(one, 'ready') === true);
    return `${ready.length}/${listAt(pod, 'spec', 'containers').length}`;
  }),
  column('Status', (pod) => {
    return pod.metadata.deletionTimestamp === undefined ? textAt(pod, 'status', 'phase') : 'Terminating';
  }),
  column('Restarts', (pod) => {
    return String(podContainerStatuses(pod).reduce<number>((sum, one) => sum + countAt(one, 'restartCount'), 0));
  }),
  { ...age, type: 'string' },
  column('IP', (pod) => textAt(pod, 'status', 'podIP') ?? '<none>', { priority: 1 }),
  column('Node', (pod) => textAt(pod, 'spec', 'nodeName') ?? '<none>', { priority: 1 }),
  column('Nominated Node', (pod) => textAt(pod, 'status', 'nominatedNodeName') ?? '<none>', { priority: 1 }),
  column('Readiness Gates', () => '<none>', { priority: 1 }),
];

/** Of ClusterRoles and of CustomResourceDefinitions. */
export const createdColumns: readonly PrinterColumn[] = [
  name,
  column('Created At', ({ metadata }) => metadata.creationTimestamp, { type: 'date' }),
];

export const priorityClassColumns: readonly PrinterColumn[] = [
  name,
  column('Value', (object) => countAt(object, 'value'), { type: 'integer' }),
  age,
];

/** As a CRD has them. */
export function customColumns(columns: readonly CrdColumn[]): readonly PrinterColumn[] {
  return [
    name,
    ...columns.map(({ name: called, type, jsonPath, priority = 0 }) => {
      const at = (object: KubeObject) => valuesAt(object, jsonPath)?.[0];
      const cell: ColumnCell = (object, now) => (type === 'date' ? since(at(object), now) : cellOf(at(object), type));
      return column(called, cell, { type, priority });
    }),
  ];
}

export const clusterColumns: readonly PrinterColumn[] = [
  name,
  column('Version', (object) => textAt(object, 'status', 'kubernetesVersion')),
  column('Mode', (object) => textAt(object, 'spec', 'syncMode')),
  column('Ready', (object) => textAt(valuesAt(object, '.status.conditions[?(@.type=="Ready")].status')?.[0])),
  age,
  column('Zones', (object) => listAt(object, 'spec', 'zones').join(','), { priority: 1 }),
  column('API-Endpoint', (object) => textAt(object, 'spec', 'apiEndpoint'), { priority: 1 }),
];

function containerTexts(object: KubeObject, field: string): string {
  const containers = listAt(object, 'spec', 'template', 'spec', 'containers');
  return containers.map((one) => textAt(one, field) ?? '').join(',');
}

/** A label selector of only matchLabels, as text. */
export function selectorText(object: KubeObject): string {
  const labels = fieldAt(object, 'spec', 'selector', 'matchLabels');
  if (typeof labels !== 'object' || labels === null) return '';
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join(',');
}

export const deploymentColumns: readonly PrinterColumn[] = [
  name,
  column('Ready', (o) => `${countAt(o, 'status', 'readyReplicas')}/${countAt(o, 'spec', 'replicas')}`),
  column('Up-to-date', (o) => countAt(o, 'status', 'updatedReplicas'), { type: 'integer' }),
  column('Available', (o) => countAt(o, 'status', 'availableReplicas'), { type: 'integer' }),
  { ...age, type: 'string' },
  column('Containers', (o) => containerTexts(o, 'name'), { priority: 1 }),
  column('Images', (o) => containerTexts(o, 'image'), { priority: 1 }),
  column('Selector', selectorText, { priority: 1 }),
];

export const eventColumns: readonly PrinterColumn[] = [
  column('Last Seen', (o, now) => since(o.lastTimestamp ?? o.eventTime ?? o.metadata.creationTimestamp, now)),
  column('Type', (o) => textAt(o, 'type')),
  column('Reason', (o) => textAt(o, 'reason')),
  column('Object', (o) => {
    const kind = textAt(o, 'involvedObject', 'kind')?.toLowerCase() ?? '';
    return `${kind}/${textAt(o, 'involvedObject', 'name') ?? ''}`;
  }),
  column('Message', (o) => textAt(o, 'message')),
  { ...name, priority: 1 },
];
