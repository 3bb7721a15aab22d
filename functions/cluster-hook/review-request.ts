/** A hub's admission request about a write, and the possible results. */
import * as z from 'zod/mini';
import type { PatchStep, ReviewedWrite } from '../../shared/admission/evaluate-rules.ts';

export const reviewRequest = z.object({
  uid: z.string(),
  resource: z.object({ group: z.string(), resource: z.string() }),
  subResource: z.optional(z.string()),
  operation: z.string(),
  userInfo: z.optional(z.object({ username: z.string() })),
  object: z.nullish(z.unknown()),
  oldObject: z.nullish(z.unknown()),
});

export type ReviewRequest = z.output<typeof reviewRequest>;

/** The result for a write, with a reason for the log. */
export type AdmissionResult =
  | {
      readonly allowed: true;
      readonly reason: string;
      readonly warning?: string;
      readonly patch?: readonly PatchStep[];
    }
  | { readonly allowed: false; readonly reason: string; readonly message: string };

export function writeOf({ object = null, oldObject = null, userInfo }: ReviewRequest): ReviewedWrite {
  return { object, oldObject, ...(userInfo && { request: { userInfo } }) };
}

/** The first rejection among several findings is returned. */
export function admissionResultOf(
  findings: readonly { readonly rejection?: string; readonly unevaluated: readonly string[] }[],
): AdmissionResult {
  const message = findings.find(({ rejection }) => rejection !== undefined)?.rejection;
  if (message !== undefined) return { allowed: false, reason: 'Invalid', message };
  const unevaluated = findings.flatMap((finding) => finding.unevaluated);
  return { allowed: true, reason: unevaluated.length === 0 ? 'Valid' : `Unevaluated ${unevaluated.join(' ')}` };
}

/** Cached per account: there are as many accounts as hubs. */
export function perAccount<T>(make: (account: string) => T): (account: string) => T {
  const made = new Map<string, T>();
  return (account) => {
    const known = made.get(account) ?? make(account);
    made.set(account, known);
    return known;
  };
}
