/** What a local run says when it is up: where things are, and what to try next. */
import type { Settings } from '../shared/settings.ts';
import type { WebhookFiles } from './hook-access.ts';
import type { PracticeHub } from './practice.ts';
import type { Stack } from './stack.ts';

export function practiceTips(
  { server, fleet, kubeconfigFile }: PracticeHub,
  stack: Stack,
  data: string | undefined,
): string {
  return `
The practice hub is up, with members ${fleet.memberNames.join(', ')}.
  hub         ${server.url}
  hook        ${stack.hook.url}
  kubeconfig  ${kubeconfigFile}
  state       ${data === undefined ? 'goes when this ends; --data DIR keeps it' : `${data} (start again with the same --data to go on)`}

Try, in another terminal:
  export KUBECONFIG=${kubeconfigFile}
  kubectl apply -f examples/web.yaml                 a Deployment and its PropagationPolicy
  kubectl get rb -A -o yaml                          where its replicas are
  npm run -s evenkeel -- plan                        what a rebalance would move
  kubectl get workloadrebalancers -w                 leave this running, then
  kubectl apply -f examples/rebalance-web.yaml       ask for a rebalance
  kubectl get workloadrebalancer rebalance-web -o yaml
  kubectl delete workloadrebalancer rebalance-web
  kubectl apply -f examples/rebalance-policy.yaml    have policies ask for it; kubectl get rebp shows them

Ctrl-C ends it.`;
}

export function realHubTips({
  hookUrl,
  files,
  settings,
}: {
  hookUrl: string;
  files: WebhookFiles;
  settings: Settings;
}): string {
  return `
The functions are up on the hub of this kubeconfig. It is compared with its tasks now and every ${settings.resyncMinutes} minutes.
The hook is at ${hookUrl}. For events at once, start the hub's API server with (docs/connect-a-hub.md says more):
  --audit-policy-file=${files.policy}
  --audit-webhook-config-file=${files.webhook}
  --audit-webhook-version=audit.k8s.io/v1 --audit-webhook-batch-max-size=50 --audit-webhook-batch-max-wait=1s
With --data DIR these files stay the same from one start to the next.

Ctrl-C ends it.`;
}
