/** What a deployment is told of its page behind a login: whose login, and who may order. */
import * as z from 'zod/mini';
import { whatIsWrong } from '../shared/model/what-is-wrong.ts';

export interface ConsoleConfig {
  /** Of OpenID Connect, as its discovery document says it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Asked for at login; `openid` among them. */
  readonly scopes?: string;
  /** The claim of the id token that lists a person's groups. */
  readonly groupsClaim?: string;
  /** Who is in one of these may order; the others look. Nobody orders where it is left out. */
  readonly orderGroups?: readonly string[];
}

const word = z.string().check(z.regex(/^\S{1,200}$/, 'is not a word of at most 200 characters'));
const schema = z.strictObject({
  issuer: z
    .string()
    .check(z.refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', 'is not an https URL')),
  clientId: word,
  scopes: z.optional(
    z
      .string()
      .check(z.regex(/^(?=.*\bopenid\b)[\w:./ -]{1,200}$/, 'does not ask for openid; write "openid email groups"')),
  ),
  groupsClaim: z.optional(word),
  orderGroups: z.optional(
    z.array(word).check(z.refine((groups) => groups.length > 0, 'is empty; leave it out where nobody is to order')),
  ),
});

const example = '{ "issuer": "https://login.example.com", "clientId": "evenkeel" }';

/** What is wrong with the field `console`; it may be left out. */
export function wrongConsole(console: unknown): readonly string[] {
  if (console === undefined) return [];
  const parsed = z.safeParse(schema, console);
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => {
    const field = ['evenkeel.console', ...issue.path.map(String)].join('.');
    return `${field}: ${whatIsWrong(issue)}; write for example ${example}`;
  });
}
