/** Asks the functions themselves, and holds every answer to what the table of operations promises. */
import * as z from 'zod/mini';
import type { Answerers } from '../../shared/edge/operator-app.ts';
import type { Operation } from '../../shared/operator/operation.ts';
import { type Ask, operations } from '../../shared/operator/operations.ts';
import { faultOf } from '../../shared/operator/refused.ts';

export function asking(answerers: Answerers): Ask {
  return async (name, input) => {
    const operation: Operation = operations[name];
    const answerer = answerers[operation.kind];
    if (answerer === undefined) throw new Error(`nobody answers ${name} here`);
    const result = await answerer({ operation: name, input });
    if ('refused' in result) throw faultOf(result.refused);
    const parsed = z.safeParse(strict(operation.output), result.answer);
    if (!parsed.success) throw new Error(`${name} answered otherwise: ${z.prettifyError(parsed.error)}`);
    return result.answer as never;
  };
}

/** What an answer holds beyond its schema nobody was promised. */
function strict(schema: z.ZodMiniType): z.ZodMiniType {
  return z.strictObject((schema as unknown as z.ZodMiniObject).shape);
}
