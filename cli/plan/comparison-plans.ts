/** The kind of plan that compares: a saved plan with the bindings now. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { invalidOption } from '../../shared/core/fault.ts';
import type { Distribution } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { aligned } from '../aligned.ts';
import type { Colours } from '../terminal.ts';
import { bindingPlans } from './binding-plans.ts';
import { type ComparedBinding, comparePlan, type SavedBinding } from './compare-plan.ts';
import type { ForecastInput } from './plan-input.ts';
import type { PlanKind } from './plan-kind.ts';
import { list } from './print-plan.ts';

const replicas = z.record(z.string(), z.number());
const savedPlan = z.object({
  bindings: z.array(
    z.object({
      namespace: z.string(),
      name: z.string(),
      replicas: z.number(),
      lastScheduledTime: z.nullable(z.string()),
      placement: z.string(),
      fresh: z.nullable(replicas),
    }),
  ),
});

/** Throws a terminal Fault that names the file and what is wrong with it. */
export function comparisonPlans(file: string): PlanKind<ForecastInput> {
  const saved = readPlan(file);
  return {
    ...bindingPlans,
    withoutNames: 'a comparison',
    plan: (input, names, { namespace }) => {
      if (names.length > 0)
        throw invalidOption(
          `${names.join(' ')} goes without --compare, which compares every binding of the saved plan`,
        );
      const meant = saved.filter((binding) => namespace === undefined || binding.namespace === namespace);
      const compared = comparePlan(meant, input);
      return {
        table: (colours) => printComparison(compared, colours),
        document: () => ({ bindings: compared.map(documentOf) }),
        notes: input.notes,
        unread: input.unread,
        moves: compared.some(({ why }) => why !== undefined),
      };
    },
  };
}

function readPlan(file: string): readonly SavedBinding[] {
  const read = savedPlan.safeParse(contentOf(file));
  if (read.success) return read.data.bindings;
  const [issue] = read.error.issues;
  const field = issue?.path.join('.') || 'the document';
  throw invalidOption(
    `--compare ${file}: ${field}: ${issue?.message ?? 'is invalid'}; give a plan that "evenkeel plan -o json" of this version printed`,
  );
}

function contentOf(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    throw invalidOption(
      `--compare ${file} cannot be read (${code ?? message.split('\n')[0]}); name a plan that was saved`,
    );
  }
}

function printComparison(compared: readonly ComparedBinding[], colours: Colours): string {
  const different = compared.filter(({ why }) => why !== undefined);
  if (different.length === 0) return summary(compared);
  const rows = different.map(({ key, planned, now, why = '' }) => [
    key.namespace || '-',
    key.name,
    textOf(planned),
    textOf(now),
    why,
  ]);
  const [head = '', ...lines] = aligned([['NAMESPACE', 'BINDING', 'PLANNED', 'NOW', 'WHY'], ...rows], {
    text: [4, 2, 3],
  });
  return [colours.bold(head), ...lines.map((line) => colours.yellow(line)), '', summary(compared)].join('\n');
}

function textOf(distribution: Distribution): string {
  return list([...distribution].map(([name, count]) => `${name} ${count}`)) || 'nowhere';
}

/** "98 of 100 replicas are on the clusters of the plan (98 %); 9 of 10 bindings are as planned." */
function summary(compared: readonly ComparedBinding[]): string {
  const planned = compared.reduce((sum, each) => sum + [...each.planned.values()].reduce((a, b) => a + b, 0), 0);
  const there = compared.reduce((sum, { asPlanned }) => sum + asPlanned, 0);
  const same = compared.filter(({ why }) => why === undefined).length;
  const share = planned === 0 ? '' : ` (${((100 * there) / planned).toFixed(1)} %)`;
  return `${there} of ${planned} replicas are on the clusters of the plan${share}; ${same} of ${compared.length} bindings are as planned.`;
}

function documentOf({ key, planned, now, asPlanned, why }: ComparedBinding): object {
  return { ...key, planned: Object.fromEntries(planned), now: Object.fromEntries(now), asPlanned, why: why ?? null };
}
