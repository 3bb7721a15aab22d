/** Asks the functions themselves, and holds every answer to what the table of operations promises. */
import * as z from 'zod/mini';
import { faultOf } from '../../shared/console-api/error-response.ts';
import type { Operation } from '../../shared/console-api/operation.ts';
import { type Ask, operations } from '../../shared/console-api/operations.ts';
import type { Answerers } from '../../shared/console-api/operations-app.ts';

export function asking(answerers: Answerers): Ask {
  return async (name, input) => {
    const operation: Operation = operations[name];
    const answerer = answerers[operation.kind];
    if (answerer === undefined) throw new Error(`no function answers ${name} here`);
    const result = await answerer({ operation: name, input });
    if ('error' in result) throw faultOf(result.error);
    const parsed = z.safeParse(strict(operation.output), result.answer);
    if (!parsed.success) throw new Error(`${name} answered otherwise: ${z.prettifyError(parsed.error)}`);
    return result.answer as never;
  };
}

/** Strips fields beyond the schema of the answer: they are not part of its contract. */
function strict(schema: z.ZodMiniType): z.ZodMiniType {
  return z.strictObject((schema as unknown as z.ZodMiniObject).shape);
}
