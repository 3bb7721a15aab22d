/** The kind of plan for bindings: what a rebalance would move. */
import { invalidOption } from '../../shared/core/fault.ts';
import { explainPlan } from './explain-plan.ts';
import { objectsOfHub } from './objects-of-hub.ts';
import { type BindingsPlan, isMissing, movesAny, planBindings } from './plan-bindings.ts';
import { planDocument } from './plan-document.ts';
import { type ForecastInput, objectsOfFiles } from './plan-input.ts';
import { type PlanKind, type PlanOptions, usesHub } from './plan-kind.ts';
import { printTable } from './print-plan.ts';

export const bindingPlans: PlanKind<ForecastInput> = {
  fromFiles: (documents, options) => onlyRebalancer(objectsOfFiles(documents, options.namespace), options),
  fromHub: (source, { namespace, rebalancer }, given) => {
    const workloads = [...(given?.rebalancers.values() ?? [])].flat();
    return objectsOfHub({
      ...source,
      ...(namespace !== undefined && { namespace }),
      ...(given !== undefined && given.rebalancers.size > 0
        ? { workloads }
        : rebalancer !== undefined && { rebalancer }),
    });
  },
  plan: (input, names, { namespace, explain, eachAlone = false, failback = false }) => {
    const plan = planBindings(input, { names, eachAlone, failback, ...(namespace !== undefined && { namespace }) });
    const { bindings } = plan;
    return {
      table: (colours) => (explain ? explainPlan(bindings, input.clusters, colours) : printTable(bindings, colours)),
      document: () => planDocument(bindings),
      names: () => moving(bindings),
      notes: [...input.notes, ...plan.notes],
      unread: input.unread,
      moves: movesAny(bindings),
    };
  },
};

/** If the files do not have the rebalancer that is named, it is read from the hub. */
function onlyRebalancer(given: ForecastInput, { rebalancer: name, ...options }: PlanOptions): ForecastInput {
  if (name === undefined) return given;
  const workloads = given.rebalancers.get(name);
  if (workloads !== undefined) return { ...given, rebalancers: new Map([[name, workloads]]) };
  if (usesHub(options)) return { ...given, rebalancers: new Map() };
  const known = [...given.rebalancers.keys()].join(', ') || 'none';
  throw invalidOption(`--rebalancer ${name}: the files have no WorkloadRebalancer of that name (they have: ${known})`);
}

/** As arguments of `evenkeel rebalance`: "deployment/shop/web". */
function moving(bindings: BindingsPlan['bindings']): readonly string[] {
  return bindings.flatMap((plan) => {
    if (isMissing(plan) || plan.moves === 0) return [];
    const { kind, namespace, name } = plan.binding.spec.resource;
    return [[kind.toLowerCase(), namespace, name].filter((part) => part !== '').join('/')];
  });
}
