/** `evenkeel run`: requests one run of a RebalancePolicy, besides those of its other triggers. */
import type { Command } from 'commander';
import { invalidOption } from '../shared/core/fault.ts';
import { fromTimestamp, type Instant, SECOND, toTimestamp } from '../shared/core/time.ts';
import { listAll } from '../shared/kubernetes/list-all.ts';
import { type RebalancePolicy, rebalancePolicies } from '../shared/rebalance-policy/rebalance-policy.ts';
import { type HubOptions, hubOf, takesHub } from './hub-options.ts';
import { objectName } from './object-name.ts';
import { openHub } from './open-hub.ts';
import { patchPolicy } from './patch-policy.ts';

interface RunOptions extends HubOptions {
  readonly at?: string;
}

const after = `
The run moves what a new assignment would move, in the waves, windows and limits of the policy. It follows a run that is
in progress. A pipeline can write spec.triggers.requestedAt instead. Show first what would move:
  evenkeel plan --policy home --trigger Requested

Examples:
  evenkeel run home
  evenkeel run home --at 2026-11-25T22:00:00Z`;

export function registerRun(evenkeel: Command): void {
  const command = evenkeel
    .command('run')
    .description('request one run of a RebalancePolicy, now or at a time')
    .argument('<policy>', 'the name of the RebalancePolicy')
    .option('--at <time>', 'start it then, an RFC 3339 time; now unless given');
  takesHub(command)
    .addHelpText('after', after)
    .action(async (name: string, options: RunOptions) => {
      process.stdout.write(`${await request(name, options)}\n`);
    });
}

async function request(name: string, { at, ...options }: RunOptions): Promise<string> {
  const requested = at === undefined ? undefined : timeOf(at);
  const { hub } = await openHub(hubOf(options));
  const policy = policyNamed(name, await listAll(hub, rebalancePolicies, ({ uid }) => uid));
  const requestedAt = toTimestamp(requested ?? nextSecond(policy, Date.now()));
  await patchPolicy(hub, policy, { spec: { triggers: { requestedAt } } });
  const what = requested === undefined ? 'a run is requested' : `a run is requested for ${requestedAt}`;
  return `${objectName(rebalancePolicies, name)}: ${what}${afterOthers(policy)}`;
}

function timeOf(text: string): Instant {
  const at = fromTimestamp(text);
  if (at === undefined)
    throw invalidOption(`--at ${text}: not an RFC 3339 time; write it like 2026-11-25T22:00:00Z, or leave it out`);
  return at;
}

/** A timestamp has no fractions, and only a time after the last request and after the policy's creation requests a run. */
function nextSecond({ spec, creationTimestamp }: RebalancePolicy, now: Instant): Instant {
  return Math.max(now, Math.max(spec.triggers.requestedAt ?? 0, creationTimestamp) + SECOND);
}

/** Throws if there is none, or if it starts no run. */
function policyNamed(name: string, policies: readonly RebalancePolicy[]): RebalancePolicy {
  const policy = policies.find((each) => each.name === name);
  if (policy === undefined) {
    const others = policies.map((each) => each.name).join(', ') || 'none';
    throw invalidOption(`${name}: the hub has no RebalancePolicy of that name; it has ${others}`);
  }
  const { spec, status } = policy;
  if (spec.suspend) throw invalidOption(`${name} is suspended, and starts no run; set spec.suspend to false`);
  if (status.state === 'Stopped' || status.state === 'Invalid')
    throw invalidOption(`${name} is ${status.state}, and starts no run before it is edited: ${status.message ?? ''}`);
  return policy;
}

function afterOthers({ status: { lastRun } }: RebalancePolicy): string {
  return lastRun?.state === 'Running' ? `, after ${lastRun.name}, which is in progress` : '';
}
