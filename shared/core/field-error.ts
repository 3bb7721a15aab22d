/** Schema errors as messages for users: the library reports only 'Invalid input' for missing or extra values. */
import type * as z from 'zod/mini';

export function whatIsWrong(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `is missing, or is no ${issue.expected}`;
    case 'unrecognized_keys':
      return `there is no field ${issue.keys.join(', ')}`;
    case 'too_small':
      return `has fewer than ${issue.minimum}, or is less`;
    case 'too_big':
      return `has more than ${issue.maximum}, or is more`;
    default:
      return issue.message === 'Invalid input' ? 'is not as it has to be' : issue.message;
  }
}
