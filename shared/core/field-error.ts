/** Schema errors as messages for users, in the phrases of Kubernetes' field errors: the library reports only 'Invalid input' for missing or extra values. */
import type * as z from 'zod/mini';

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
      return issue.message === 'Invalid input' ? 'is invalid' : issue.message;
  }
}

function limit(
  { origin, message }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  length: string,
  value: string,
): string {
  if (message !== 'Invalid input') return message;
  if (origin === 'string') return `must have ${length} characters`;
  return origin === 'array' ? `must have ${length} items` : `must be ${value}`;
}
