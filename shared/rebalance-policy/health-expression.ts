/** A condition of users on a moved workload, besides that its replicas are ready: CEL over what the member clusters report of it. */
import * as z from 'zod/mini';
import { compileCondition, flawOf } from '../admission/evaluate-rules.ts';
import { clusterResourceBindings, resourceBindings } from '../karmada/binding.ts';
import { parseObject, referenceFields } from '../kubernetes/hub-object.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';

/** The variables of an expression. */
const variables = ['workload', 'replicas', 'clusters'] as const;

const schema = z.object({
  spec: z.object({ resource: z.object(referenceFields), replicas: z._default(z.number(), 0) }),
  status: z._default(z.object({ aggregatedStatus: z._default(z.array(z.unknown()), []) }), { aggregatedStatus: [] }),
});

/** By variable. `clusters`: status.aggregatedStatus of the binding, with all fields that the members report. */
export type ReportedHealth = Readonly<Record<(typeof variables)[number], unknown>>;

const namespaced: Resource<ReportedHealth> = { ...resourceBindings, parse: parseHealth };
const clusterScoped: Resource<ReportedHealth> = { ...clusterResourceBindings, parse: parseHealth };

/** The kind of a binding by its namespace, read as what an expression can read. */
export function healthKind({ namespace }: Pick<ObjectKey, 'namespace'>): Resource<ReportedHealth> {
  return namespace === '' ? clusterScoped : namespaced;
}

function parseHealth(object: unknown): ReportedHealth {
  const { spec, status } = parseObject(schema, object, 'binding');
  return { workload: spec.resource, replicas: spec.replicas, clusters: status.aggregatedStatus };
}

/** The error of an expression, in one line; undefined if it is valid. */
export function flawOfHealth(expression: string): string | undefined {
  const flaw = flawOf(expression, variables);
  return flaw && `${firstLine(flaw)}; it may read ${variables.join(', ')}`;
}

/** The library's messages show the place in the expression in further lines. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

/** Why a workload is not healthy; undefined if it is. With an invalid expression none is: a policy may be edited while a wave is in flight. */
export function compileHealth(expression: string): (health: ReportedHealth) => string | undefined {
  const flaw = flawOfHealth(expression);
  if (flaw !== undefined) return () => `strategy.waves.healthy is invalid: ${flaw}`;
  const isHealthy = compileCondition(expression, variables);
  return (health) => {
    try {
      return isHealthy(health) ? undefined : `strategy.waves.healthy is not true: ${expression}`;
    } catch (thrown) {
      return `strategy.waves.healthy can't be evaluated: ${firstLine((thrown as Error).message)}`;
    }
  };
}
