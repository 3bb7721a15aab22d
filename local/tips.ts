/** What a local run says when it is up: where things are, and what to try next. */
import type { Settings } from '../shared/settings.ts';
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
  kubectl get workloadrebalancers -w                 leave this running, then
  kubectl apply -f examples/rebalance-web.yaml       ask for a rebalance
  kubectl get workloadrebalancer rebalance-web -o yaml
  kubectl delete workloadrebalancer rebalance-web

Ctrl-C ends it.`;
}

export function realHubTips({
  hookUrl,
  hookToken,
  settings,
}: {
  hookUrl: string;
  hookToken: string;
  settings: Settings;
}): string {
  return `
The functions are up on the hub of this kubeconfig. It is compared with its tasks now and every ${settings.resyncMinutes} minutes.
For events at once, let the hub's API server send its audit events here (docs/connect-a-hub.md):
  --audit-webhook-config-file with server ${hookUrl}
  and the user's token ${hookToken}

Ctrl-C ends it.`;
}
