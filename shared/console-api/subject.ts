/** The user of a write operation, and the source of that information. Lambda does not pass the invoker to a function, so the caller passes it on. */
import * as z from 'zod/mini';

/**
 * `console`: the deployed console verified the login. `claimed`: the name that a shell gave. `local`: a local run, which has
 * one user.
 */
export const subjectSources = ['console', 'claimed', 'local'] as const;

export interface Subject {
  readonly source: (typeof subjectSources)[number];
  readonly name: string;
}

/** An email address has 254 characters at most, and an annotation is read by users. */
const MAX_NAME = 200;

const schema = z.object({ source: z.enum(subjectSources), name: z.string() });

/** For logs and annotations: `console:alice@example.com`. A missing or invalid subject is `claimed:unknown`. */
export function subjectText(subject: unknown): string {
  const parsed = z.safeParse(schema, subject);
  const { source, name } = parsed.success ? parsed.data : { source: 'claimed', name: '' };
  // Only alphanumerics and characters of names, email addresses and ARNs: no line breaks and no bidirectional controls.
  const readable = [...name.slice(0, MAX_NAME)].map((c) => (/[\p{L}\p{N} .,:;/@_+=|~#-]/u.test(c) ? c : '?')).join('');
  return `${source}:${readable.trim() || 'unknown'}`;
}
