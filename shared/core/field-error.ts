/** Schema errors as messages for users, in the phrases of Kubernetes' field errors: the library reports only 'Invalid input' for missing or extra values. */
import type * as z from 'zod/mini';

/** Messages of the library itself, with and without its English texts, which another importer may load. */
const OF_LIBRARY = /^(?:Invalid input|Too (?:small|big))/;

export function fieldError(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'unrecognized_keys':
      return `unknown field ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'too_small':
      return limit(issue, `at least ${issue.minimum}`, `greater than or equal to ${issue.minimum}`);
    case 'too_big':
      return limit(issue, `at most ${issue.maximum}`, `less than or equal to ${issue.maximum}`);
    default:
      return OF_LIBRARY.test(issue.message) ? 'is invalid' : issue.message;
  }
}

/** The first field of an input that its schema rejects, with the reason: "detail.cluster: Invalid input". */
export function firstIssue(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'unreadable' : `${issue.path.join('.')}: ${issue.message}`;
}

function limit(
  { origin, message }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  length: string,
  value: string,
): string {
  if (!OF_LIBRARY.test(message)) return message;
  if (origin === 'string') return `must have ${length} characters`;
  return origin === 'array' ? `must have ${length} items` : `must be ${value}`;
}
