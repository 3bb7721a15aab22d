/** `evenkeel plan --policy`: what a RebalancePolicy would do now, from a hub or from files, in the requested format. */
import { stringify } from 'yaml';
import { coloursOf } from '../terminal.ts';
import { planPolicy } from './plan-policy.ts';
import { policyDocument } from './policy-document.ts';
import { filesOver, type PolicyInput } from './policy-input.ts';
import { policyInputOfFiles } from './policy-of-files.ts';
import { policyInputOfHub } from './policy-of-hub.ts';
import { printPolicy } from './print-policy.ts';
import type { PrintedPlan } from './printed.ts';
import { readDocuments } from './read-documents.ts';
import { usualKubeconfig } from './usual-kubeconfig.ts';

interface PreviewPolicyOptions {
  readonly policy: string;
  readonly trigger?: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly file?: readonly string[];
  readonly namespace?: string;
  readonly explain: boolean;
  readonly output: 'table' | 'json' | 'yaml';
}

export async function previewPolicy(names: readonly string[], options: PreviewPolicyOptions): Promise<PrintedPlan> {
  const { policy, trigger: triggers = [], namespace, output, explain } = options;
  const input = await read(options);
  const query = { policy, triggers, names, ...(namespace !== undefined && { namespace }) };
  const plan = planPolicy(input, query, Date.now());
  const document = () => policyDocument(plan);
  const colours = coloursOf();
  const printers = {
    json: () => JSON.stringify(document(), undefined, 2),
    yaml: () => stringify(document()),
    table: () => printPolicy(plan, { colours, explain }),
  };
  const notes = [...input.notes, ...plan.notes];
  return { text: printers[output](), notes, unread: input.unread, moves: plan.waves.size > 0 };
}

/** Sources as for any plan: a hub, files, or files over a hub. */
async function read({
  policy,
  kubeconfig,
  context,
  file: files = [],
  namespace,
}: PreviewPolicyOptions): Promise<PolicyInput> {
  const given =
    files.length === 0 ? undefined : policyInputOfFiles(await readDocuments(files, process.stdin), namespace);
  if (given !== undefined && kubeconfig === undefined && context === undefined) return given;
  const hub = await policyInputOfHub({
    kubeconfig: kubeconfig ?? usualKubeconfig(),
    ...(context !== undefined && { context }),
    name: policy,
    policy: given?.policies.get(policy),
  });
  return given === undefined ? hub : filesOver(hub, given);
}
