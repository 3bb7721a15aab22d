/** What a hub's API server asks about a write, and what it can be told. */
import * as z from 'zod/mini';
import type { PatchStep, Write } from '../../shared/model/admission/evaluate-rules.ts';

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

/** What becomes of a write, and why in a word for the log. */
export type Verdict =
  | {
      readonly allowed: true;
      readonly reason: string;
      readonly warning?: string;
      readonly patch?: readonly PatchStep[];
    }
  | { readonly allowed: false; readonly reason: string; readonly message: string };

export function writeOf({ object = null, oldObject = null, userInfo }: ReviewRequest): Write {
  return { object, oldObject, ...(userInfo && { request: { userInfo } }) };
}

/** Of several findings: the first refusal speaks. */
export function verdictOf(
  findings: readonly { readonly refusal?: string; readonly unevaluated: readonly string[] }[],
): Verdict {
  const message = findings.find(({ refusal }) => refusal !== undefined)?.refusal;
  if (message !== undefined) return { allowed: false, reason: 'Invalid', message };
  const unevaluated = findings.flatMap((finding) => finding.unevaluated);
  return { allowed: true, reason: unevaluated.length === 0 ? 'Valid' : `Unevaluated ${unevaluated.join(' ')}` };
}

/** What is made for an account is kept: there are as many accounts as hubs. */
export function perAccount<T>(make: (account: string) => T): (account: string) => T {
  const made = new Map<string, T>();
  return (account) => {
    const known = made.get(account) ?? make(account);
    made.set(account, known);
    return known;
  };
}
