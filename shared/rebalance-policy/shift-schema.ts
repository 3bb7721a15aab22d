/** The triggers `pressure` and `price` of a RebalancePolicy, and their rules. */
import * as z from 'zod/mini';
import { DECIMAL } from '../karmada/member-cluster.ts';
import { describe, type KindRule, text, whole } from '../kubernetes/crd-fields.ts';

/** Watermarks in percent. */
const HIGH = 80;
const LOW = 60;

/** In percent of what clusters report as allocatable. */
export const pressure = z.object({
  high: describe(
    'A run starts when a cluster is above this percentage of one of the resources.',
    z._default(whole(1, 100), HIGH),
  ),
  low: describe(
    'Only clusters below this percentage get replicas. The run ends, and a cluster is full, halfway between low and high.',
    z._default(whole(0, 99), LOW),
  ),
  resources: describe(
    'The resources that count, as clusters report them; the fullest decides.',
    z._default(z.array(text(1, 253)).check(z.minLength(1), z.maxLength(8)), ['cpu', 'memory']),
  ),
});

export const price = z.object({
  minScore: describe(
    'The least score of a move in percent: the share of the cost of the workload that it saves, divided by the share of its replicas that it moves.',
    z._default(whole(1, 10_000), 50),
  ),
  clusters: describe(
    "Prices of clusters; they have precedence over the clusters' annotation evenkeel.dev/price.",
    z.optional(
      z
        .array(
          z.object({
            name: text(1, 253),
            price: describe('What one core costs for an hour: "0.03".', text(1, 20).check(z.regex(DECIMAL))),
          }),
        )
        .check(z.maxLength(1000)),
    ),
  ),
});

/** `others`: the triggers that neither goes with, because each has a planner of its own. */
export function shiftRules(spec: string, others: readonly string[]): readonly KindRule[] {
  const has = (name: string) => `has(${spec}.triggers.${name})`;
  // Objects from files have no defaults of an API server.
  const percent = (name: string, fallback: number) =>
    `(has(${spec}.triggers.pressure.${name}) ? ${spec}.triggers.pressure.${name} : ${fallback})`;
  return [
    {
      field: 'spec.triggers',
      expression: `!(${has('pressure')} || ${has('price')}) || !(${others.map(has).join(' || ')} || (${has('pressure')} && ${has('price')}))`,
      message: `'spec.triggers: pressure and price each exclude every other trigger; write a policy of its own for each'`,
    },
    {
      field: 'spec.triggers.pressure',
      expression: `!${has('pressure')} || ${percent('low', LOW)} < ${percent('high', HIGH)}`,
      message: `'spec.triggers.pressure: low must be less than high; they are ${LOW} and ${HIGH} unless set'`,
    },
  ];
}
