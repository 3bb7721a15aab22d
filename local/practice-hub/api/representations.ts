/** The representation of a response: the object, only its metadata, or a Table for kubectl; as JSON or YAML, by the Accept header. */
import type { Instant } from '../../../shared/core/time.ts';
import { apiVersionOf, type KindDefinition } from '../store/kind-definition.ts';
import type { KubeObject } from '../store/objects.ts';
import { badRequest, StatusError } from '../store/status-error.ts';
import type { Page } from './list-pages.ts';

export interface Representation {
  readonly of: 'object' | 'table' | 'metadata';
  readonly mediaType: 'application/json' | 'application/yaml';
}

const asJson: Representation = { of: 'object', mediaType: 'application/json' };

/** The first supported choice of the Accept header; others, as protobuf, are skipped. */
export function negotiate(accept: string | undefined): Representation {
  const choices = (accept ?? '').split(',').filter((choice) => choice.trim() !== '');
  if (choices.length === 0) return asJson;
  for (const choice of choices) {
    const [mediaType = '', ...given] = choice.split(';').map((part) => part.trim().toLowerCase());
    const parameters = new URLSearchParams(given.join('&'));
    const wanted = parameters.get('as');
    if (wanted !== null && (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1')) continue;
    if (mediaType === 'application/yaml' && wanted === null) return { of: 'object', mediaType };
    if (!['application/json', 'application/*', '*/*'].includes(mediaType)) continue;
    if (wanted === 'table') return { ...asJson, of: 'table' };
    if (wanted === 'partialobjectmetadata' || wanted === 'partialobjectmetadatalist') {
      return { ...asJson, of: 'metadata' };
    }
    return asJson;
  }
  const message = 'only the following media types are accepted: application/json, application/yaml';
  throw new StatusError(406, 'NotAcceptable', message);
}

/** How the objects of one response are shown. */
export interface RepresentedKind {
  readonly kind: KindDefinition;
  readonly now: Instant;
  readonly as: Representation['of'];
  /** The part of the object in a Table's row. */
  readonly includeObject: 'None' | 'Metadata' | 'Object';
}

export function includeObjectOf(query: URLSearchParams): RepresentedKind['includeObject'] {
  const given = query.get('includeObject') || 'Metadata';
  if (given === 'None' || given === 'Metadata' || given === 'Object') return given;
  throw badRequest(`invalid includeObject value: must be one of None, Metadata or Object, not ${given}`);
}

export function showObject(view: RepresentedKind, object: KubeObject): object {
  if (view.as === 'object') return object;
  if (view.as === 'metadata') return metadataOnly(object);
  return table(view, [object], { resourceVersion: object.metadata.resourceVersion });
}

export function showPage(view: RepresentedKind, page: Page): object {
  const { items, resourceVersion, continueToken, remainingItemCount } = page;
  const metadata = {
    resourceVersion,
    ...(continueToken !== undefined && { continue: continueToken }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
  if (view.as === 'table') return table(view, items, metadata);
  const { kind } = view;
  return view.as === 'metadata'
    ? {
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata,
        items: items.map((object) => metadataOnly(object)),
      }
    : { apiVersion: apiVersionOf(kind), kind: `${kind.kind}List`, metadata, items };
}

/** A bookmark: an object with only a resourceVersion. */
export function showBookmark(view: RepresentedKind, resourceVersion: string): object {
  if (view.as === 'table') return table(view, [], { resourceVersion });
  const header =
    view.as === 'metadata'
      ? { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' }
      : { kind: view.kind.kind, apiVersion: apiVersionOf(view.kind) };
  return { ...header, metadata: { resourceVersion, creationTimestamp: null } };
}

function metadataOnly({ metadata }: KubeObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

function table(view: RepresentedKind, objects: readonly KubeObject[], metadata: object): object {
  const { kind, now, includeObject } = view;
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: kind.columns.map(({ name, type, format = '', priority }) => ({
      name,
      type,
      format,
      description: '',
      priority,
    })),
    rows: objects.map((object) => ({
      cells: kind.columns.map((column) => column.cell(object, now)),
      ...(includeObject === 'Metadata' && { object: metadataOnly(object) }),
      ...(includeObject === 'Object' && { object }),
    })),
  };
}
