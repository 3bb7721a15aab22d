/** Configuration of the page behind a login: the identity provider, and the groups with write access. */
import { Token } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import { fieldError } from '../shared/core/field-error.ts';

export interface ConsoleConfig {
  /** The OpenID Connect issuer, as in its discovery document. */
  readonly issuer: string;
  readonly clientId: string;
  /** Requested at login; includes `openid`. */
  readonly scopes?: string;
  /** The claim of the id token that lists a user's groups. */
  readonly groupsClaim?: string;
  /** Groups with write access; other users have read access. Without groups, no user has write access. */
  readonly commandGroups?: readonly string[];
}

const word = z.string().check(z.regex(/^\S{1,200}$/, 'is not a word of at most 200 characters'));
/** An unresolved token, as of a user pool in the same app, is checked at login. */
const isIssuer = (text: string) =>
  Token.isUnresolved(text) || (URL.canParse(text) && new URL(text).protocol === 'https:');
const schema = z.strictObject({
  issuer: z.string().check(z.refine(isIssuer, 'is not an https URL')),
  clientId: word,
  scopes: z.optional(
    z
      .string()
      .check(z.regex(/^(?=.*\bopenid\b)[\w:./ -]{1,200}$/, 'does not ask for openid; write "openid email groups"')),
  ),
  groupsClaim: z.optional(word),
  commandGroups: z.optional(
    z.array(word).check(z.refine((groups) => groups.length > 0, 'is empty; leave it out if no user may write')),
  ),
});

const example = '{ "issuer": "https://login.example.com", "clientId": "evenkeel" }';

/** Errors in the optional field `console`. */
export function wrongConsole(console: unknown): readonly string[] {
  if (console === undefined) return [];
  const parsed = z.safeParse(schema, console);
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => {
    const field = ['evenkeel.console', ...issue.path.map(String)].join('.');
    return `${field}: ${fieldError(issue)}; write for example ${example}`;
  });
}
