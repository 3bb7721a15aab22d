/** The stages with which kwok simulates a member's nodes and pods: its fast stages, with a configurable delay until pods are ready. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { kwokStages } from '../cache/go-binaries.ts';

/** A pod's annotation with the delay from its binding to a node until it is ready, such as "8s"; without it the pod is ready at once. */
export const READY_AFTER = 'evenkeel.dev/ready-after';

const STAGES = [
  'node/fast/node-initialize.yaml',
  'node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'pod/fast/pod-ready.yaml',
  'pod/fast/pod-complete.yaml',
  'pod/fast/pod-delete.yaml',
];

interface Stage {
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

/** The stages as one file of YAML documents, for kwok's --config. */
export async function stages(): Promise<string> {
  const folder = join(await kwokStages(), 'stages');
  const shipped = STAGES.map((file) => parse(readFileSync(join(folder, file), 'utf8')) as Stage);
  return shipped.map((stage) => stringify(stage.metadata.name === 'pod-ready' ? delayed(stage) : stage)).join('---\n');
}

function delayed(stage: Stage): Stage {
  const durationFrom = { expressionFrom: `.metadata.annotations["${READY_AFTER}"]` };
  return { ...stage, spec: { ...stage.spec, delay: { durationMilliseconds: 0, durationFrom } } };
}
