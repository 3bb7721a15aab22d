/** A hub's record as a row of the registry's table, and back. Rows are parsed, because users can edit them in the AWS console. */
import * as z from 'zod/mini';
import { Fault } from '../../core/fault.ts';
import { fieldError } from '../../core/field-error.ts';
import { type HubFeature, hubFeatureNames } from '../../kubernetes/hub-features.ts';
import { hubNamePattern } from '../../kubernetes/hub-record.ts';
import type { HubRecord, NewHubRecord } from '../../kubernetes/hub-registry.ts';
import type { RowKey, TableRow } from './table.ts';

/** The partition of all records: 1,000 of about 1 KB are one page of a query. */
export const HUBS = 'HUBS';

const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 digest in hex'));
const time = z.number().check(z.int(), z.nonnegative());

const schema = z.object({
  state: z.enum(['Active', 'Removing'], "must be 'Active' or 'Removing'"),
  pause: z.optional(z.object({ since: time, reason: z.string(), by: z.optional(z.string()) })),
  features: z.array(z.string()),
  server: z.string(),
  account: z.optional(z.string()),
  callers: z.object({
    tokenDigests: z.array(digest),
    reviewKeyDigests: z.array(digest),
    subjects: z.array(z.string().check(z.minLength(1, 'is empty'))),
  }),
  auditLogGroup: z.optional(z.string()),
  hasEstimator: z.optional(z.boolean()),
  revision: z.number().check(z.int(), z.positive()),
});

export function hubKey(name: string): RowKey {
  return { pk: HUBS, sk: name };
}

/** The name is the sort key, so it is no attribute. */
export function toHubRow({ name, ...record }: NewHubRecord, revision: number): TableRow & RowKey {
  return { ...record, ...hubKey(name), revision };
}

/** A terminal Fault that names hub and field if the row is not a record. Features of later versions are ignored. */
export function fromHubRow(row: TableRow): HubRecord {
  const name = String(row.sk);
  if (!hubNamePattern.test(name)) throw invalidRecord(name, 'its name is not a DNS label of at most 40 characters');
  const parsed = z.safeParse(schema, row);
  if (parsed.success) return { name, ...parsed.data, features: parsed.data.features.filter(isFeature) };
  const issue = parsed.error.issues[0];
  throw invalidRecord(name, issue ? `${issue.path.join('.')} ${fieldError(issue)}` : 'it is invalid');
}

function isFeature(text: string): text is HubFeature {
  return (hubFeatureNames as readonly string[]).includes(text);
}

function invalidRecord(hub: string, what: string): Fault {
  const message = `the record of hub ${hub} cannot be used: ${what}; evenkeel hub add ${hub} writes it again`;
  return new Fault('terminal', message, { reason: 'InvalidHubRecord' });
}
