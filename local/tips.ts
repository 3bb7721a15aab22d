/** The output of a local run after its start: addresses, and commands to try. */
import type { Settings } from '../shared/core/settings.ts';
import type { WebhookFiles } from './hook-access.ts';
import type { PracticeHub } from './practice.ts';
import type { LocalStack } from './stack.ts';

export interface Places {
  readonly stack: LocalStack;
  readonly data: string | undefined;
  /** Its address. */
  readonly page: string;
}

export function practiceTips({ server, fleet, kubeconfigFile }: PracticeHub, { stack, data, page }: Places): string {
  const { names } = fleet.managedClusters;
  return `
The practice hub is up, with ${names.length > 0 ? `managed clusters ${names.join(', ')}` : `members ${fleet.memberNames.join(', ')}`}.
  page        ${page}
  hub         ${server.url}
  hook        ${stack.hook.url}
  kubeconfig  ${kubeconfigFile}
  state       ${data === undefined ? 'goes when this ends; --data DIR keeps it' : `${data} (start again with the same --data to go on)`}

Try, in another terminal:
  export KUBECONFIG=${kubeconfigFile} EVENKEEL_API=${page}
${names.length > 0 ? onManagedClusters : onMembers}

Ctrl-C ends it.`;
}

const onMembers = `  kubectl apply -f examples/web.yaml                 a Deployment and its PropagationPolicy
  kubectl get rb -A -o yaml                          where its replicas are
  npm run -s evenkeel -- plan                        what a rebalance would move
  npm run -s evenkeel -- rebalance deployment/default/shop --wait
  npm run -s evenkeel -- get tasks                   what came of it
  npm run -s evenkeel -- history workload shop       where its replicas were, and who moved them
  kubectl get workloadrebalancers -w                 leave this running, then
  kubectl apply -f examples/rebalance-web.yaml       ask for a rebalance
  kubectl get workloadrebalancer rebalance-web -o yaml
  kubectl delete workloadrebalancer rebalance-web
  kubectl apply -f examples/rebalance-policy.yaml    have policies ask for it; kubectl get rebp shows them`;

const onManagedClusters = `  kubectl get mcl                                    the clusters
  kubectl get ew -w                                  leave this running, then
  kubectl scale ew shop --replicas 20                ask for more
  kubectl get manifestworks -A                       what was written for each cluster
  kubectl get ew shop -o yaml                        where its replicas are, and why`;

export function realHubTips({
  hookUrl,
  files,
  settings,
  page,
}: {
  hookUrl: string;
  files: WebhookFiles;
  settings: Settings;
  page: string;
}): string {
  return `
The functions are up on the hub of this kubeconfig. It is compared with its tasks now and every ${settings.resyncMinutes} minutes.
The page is at ${page}, the hook at ${hookUrl}. For events at once, start the hub's API server with (see docs/start/connect-a-hub.md):
  --audit-policy-file=${files.policy}
  --audit-webhook-config-file=${files.webhook}
  --audit-webhook-version=audit.k8s.io/v1 --audit-webhook-batch-max-size=50 --audit-webhook-batch-max-wait=200ms
With --data DIR these files stay the same from one start to the next.

Ctrl-C ends it.`;
}
