/** The pages docs/reference/metrics.md and docs/reference/alarms.md: from the table of metrics with its comments, and from the runbook. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { type MetricName, metrics } from '../shared/core/metrics.ts';
import { objectives } from '../shared/core/objectives.ts';
import type { TableFormat } from './bench-docs.ts';

const names = Object.keys(metrics) as MetricName[];

/** The comment above each metric in shared/core/metrics.ts: the functions load that file, so their bundles have no text of it. */
function comments(): ReadonlyMap<string, string> {
  const file = 'shared/core/metrics.ts';
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    const [comment] = ts.getJSDocCommentsAndTags(node);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && typeof comment?.comment === 'string')
      found.set(node.name.text, comment.comment);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function meaningOf(name: MetricName, commented: ReadonlyMap<string, string>): string {
  const objective = Object.values(objectives).find(({ kept, missed }) => kept === name || missed === name);
  if (objective !== undefined)
    return `Events that ${objective.kept === name ? 'kept' : 'missed'} the objective *${objective.title}*.`;
  const meaning = commented.get(name);
  if (meaning === undefined) throw new Error(`shared/core/metrics.ts: ${name} has no comment; write its meaning there`);
  return meaning;
}

const runbookLink = (section: string): string => `[${section}](../operations/runbook.md#${section})`;

export function metricsPage(table: TableFormat): string {
  const commented = comments();
  const rows = names.map((name) => {
    const { dimensions, alarm } = metrics[name];
    const own = dimensions.map((set) => set.map((dimension) => `\`${dimension}\``).join(' and ') || 'none');
    return [
      `\`${name}\``,
      meaningOf(name, commented),
      own.join(', or '),
      'section' in alarm ? runbookLink(alarm.section) : `none: ${alarm.none}`,
    ];
  });
  return `# Metrics

The functions publish these metrics to CloudWatch, in the namespace \`Evenkeel\`. Every metric has the dimension \`service\`, the name of the deployment.

\`npm run docs\` generates this page from \`shared/core/metrics.ts\`. A local run serves the same metrics for Prometheus, and a bridge its own: [metrics for Prometheus](../guides/console.md#metrics-for-prometheus).
The promises behind the metrics of objectives: [objectives](../operations/objectives.md).

${table(['metric', 'meaning', 'further dimensions', 'alarm'], rows)}
`;
}

export function alarmsPage(table: TableFormat, runbook: string): string {
  const rows = runbook
    .split(/^## /m)
    .slice(1)
    .flatMap((text) => {
      const section = text.slice(0, text.indexOf('\n'));
      const causes = [
        ...text.matchAll(/\*\*(Alarm|Finding)([^*]*)\*\*:? ?([\s\S]*?)(?= \*\*(?:Meaning|Check|Do):|\n\n)/g),
      ];
      if (causes.length === 0)
        throw new Error(`docs/operations/runbook.md: section ${section} must begin with **Alarm:**`);
      return causes.map(([, kind = '', which = '', cause = '']) => [
        runbookLink(section),
        `${kind === 'Finding' ? 'finding, no alarm' : 'alarm'}${which.replace(/:$/, '')}`,
        cause.replaceAll(/\s+/g, ' ').replaceAll('](objectives.md', '](../operations/objectives.md').trim(),
      ]);
    });
  return `# Alarms

Each alarm with its section of the runbook, which has the meaning and what to do. The description of every alarm on CloudWatch ends with that section.

\`npm run docs\` generates this page from the [runbook](../operations/runbook.md); a test compares the sections of the runbook with the alarms of the stacks. All alarms notify one topic, the output \`AlarmTopicArn\`.

${table(['section', 'kind', 'fires when'], rows)}
`;
}
