/** `evenkeel plan -f` with ElasticWorkloads among the files: what each cluster would get, and in which steps. */
import { stringify } from 'yaml';
import { invalidOption } from '../../shared/core/fault.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { coloursOf } from '../terminal.ts';
import { elasticInputOf } from './elastic-input.ts';
import { type ElasticPlan, planElastic } from './plan-elastic.ts';
import { elasticDocument, printElastic } from './print-elastic.ts';
import type { PrintedPlan } from './printed.ts';
import type { HubDocument } from './read-documents.ts';

interface PreviewElasticOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly output: 'table' | 'json' | 'yaml';
}

export function previewElastic(
  documents: readonly HubDocument[],
  names: readonly string[],
  options: PreviewElasticOptions,
): PrintedPlan {
  const { kubeconfig, context, namespace, output } = options;
  if (kubeconfig !== undefined || context !== undefined)
    throw invalidOption(
      'ElasticWorkloads are planned from files alone; leave out --kubeconfig and --context, and give their PlacementDecisions and ManifestWorks with -f',
    );
  const input = elasticInputOf(documents, namespace);
  const plans = chosen(planElastic(input, Date.now()), names, namespace);
  const colours = coloursOf();
  const printers = {
    json: () => JSON.stringify(elasticDocument(plans), undefined, 2),
    yaml: () => stringify(elasticDocument(plans)),
    table: () => printElastic(plans, colours),
  };
  const unread = plans.flatMap(({ elastic, lacks }) =>
    lacks === undefined ? [] : [`ElasticWorkload ${keyText(elastic.key)}: ${lacks}`],
  );
  return { text: printers[output](), notes: input.notes, unread, moves: plans.some(({ steps }) => steps.length > 0) };
}

/** Plans all, because two may have one target; shows only the requested ones. */
function chosen(
  plans: readonly ElasticPlan[],
  names: readonly string[],
  namespace: string | undefined,
): readonly ElasticPlan[] {
  const there = plans.filter(({ elastic }) => namespace === undefined || elastic.key.namespace === namespace);
  const unknown = names.find((name) => !there.some(({ elastic }) => elastic.key.name === name));
  if (unknown !== undefined) {
    const known = there.map(({ elastic }) => elastic.key.name).join(', ') || 'none';
    throw invalidOption(`${unknown}: the files have no ElasticWorkload of that name (they have: ${known})`);
  }
  return names.length === 0 ? there : there.filter(({ elastic }) => names.includes(elastic.key.name));
}
