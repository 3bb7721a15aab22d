/** The command line of the local run. */
import { parseArgs } from 'node:util';
import { collectorUrl } from '../shared/core/environment.ts';
import { invalidOption } from '../shared/core/fault.ts';
import { ownValue } from '../shared/core/own-value.ts';
import type { EstimatorWords } from '../shared/estimator/estimator-choice.ts';
import type { Story } from './stories/scene.ts';

export interface LocalRunOptions {
  readonly help: boolean;
  readonly once: boolean;
  readonly story: string;
  readonly port: number;
  readonly data: string | undefined;
  readonly kubeconfig: string | undefined;
  /** Whether a rebalanced workload starts from the first term of its clusterAffinities. */
  readonly failback: boolean;
  /** The URL of an OTLP/HTTP collector. */
  readonly tracesTo: string | undefined;
  /** For a hub that is not the practice hub, which has its own estimators. */
  readonly estimator: EstimatorWords;
}

export const usage = `npm start -- [options]

  --once            play the story, then exit: 0 if every step succeeded, 1 if one failed
  --story NAME      which story to play (default: failback); 'none' plays none
  --port N          port of the practice hub's API; the hook and the page are at the next two (default: 7443 to 7445)
  --data DIR        keep the state in this folder, and go on with what is open there
  --kubeconfig F    use the hub of this kubeconfig instead of the practice hub
  --failback        a rebalanced workload starts from the first term of its clusterAffinities, as in Karmada 1.19
  --traces-to URL   export traces to this OTLP/HTTP collector, for example http://127.0.0.1:4318
  --estimator KIND  with --kubeconfig: pods, scheduler-estimator or none (default); how replicas that no node takes are
                    counted. scheduler-estimator needs --estimator-address HOST:PORT ({cluster} in it is the member's
                    name) and the PEM files --estimator-ca, --estimator-cert and --estimator-key
  --help            this text

Examples
  npm start                                   the story, then a hub to try things on
  npm start -- --once                         the story as a check, for a script
  npm start -- --data ./state                 stop it and start it again: open tasks go on
  npm start -- --story large --once           a rebalancer of 5,000 workloads
  npm start -- --story descheduler            unschedulable replicas move to other clusters
  npm start -- --story autopilot              policies bring replicas home, without a user
  npm start -- --story price                  replicas leave a crowded cluster, and go where they are cheaper
  npm start -- --story graceful               a rebalance takes nothing away until its replacement is ready
  npm start -- --story elastic                one workload balanced over an Open Cluster Management fleet
  npm start -- --story spot                   replicas leave Spot instances before AWS takes them back
  npm start -- --kubeconfig ~/.kube/karmada   the functions on a hub of yours
  npm start -- --kubeconfig ~/.kube/test --story failback
                                              the story on a Karmada hub to test with: it taints a member for a while
`;

const DEFAULT_PORT = 7443;

/** Throws a terminal Fault that names the option, the value and the remedy. */
export function parseOptions(argv: readonly string[], stories: Readonly<Record<string, Story>>): LocalRunOptions {
  const { values } = read(argv);
  const story = values.story ?? (values.kubeconfig === undefined ? 'failback' : 'none');
  const chosen = ownValue(stories, story);
  if (story !== 'none' && chosen === undefined)
    throw invalidOption(
      `--story ${story}: Unsupported value; supported values: ${[...Object.keys(stories), 'none'].join(', ')}`,
    );
  if (chosen?.on === 'the practice hub' && values.kubeconfig !== undefined)
    throw invalidOption(`--story ${story} needs the practice hub; leave --kubeconfig or --story out`);
  const port = values.port === undefined ? DEFAULT_PORT : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_533)
    throw invalidOption(`--port ${values.port}: a whole number from 0 (any free port) to 65533 is needed`);
  const tracesTo = values['traces-to'];
  if (tracesTo !== undefined && !collectorUrl.test(tracesTo))
    throw invalidOption(
      `--traces-to ${tracesTo}: the URL of an OTLP/HTTP collector is needed, for example http://127.0.0.1:4318`,
    );
  const estimator = {
    estimator: values.estimator,
    estimatorAddress: values['estimator-address'],
    estimatorCa: values['estimator-ca'],
    estimatorCert: values['estimator-cert'],
    estimatorKey: values['estimator-key'],
  };
  if (values.kubeconfig === undefined && Object.values(estimator).some((word) => word !== undefined))
    throw invalidOption(
      "--estimator is for a hub of yours; add --kubeconfig, or leave it out: the practice hub's members have one",
    );
  return {
    help: values.help ?? false,
    once: values.once ?? false,
    story,
    port,
    data: values.data,
    kubeconfig: values.kubeconfig,
    failback: values.failback ?? false,
    tracesTo,
    estimator,
  };
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean' },
        once: { type: 'boolean' },
        story: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        kubeconfig: { type: 'string' },
        failback: { type: 'boolean' },
        'traces-to': { type: 'string' },
        estimator: { type: 'string' },
        'estimator-address': { type: 'string' },
        'estimator-ca': { type: 'string' },
        'estimator-cert': { type: 'string' },
        'estimator-key': { type: 'string' },
      },
    });
  } catch (thrown) {
    throw invalidOption(
      `${thrown instanceof Error ? thrown.message.split('\n')[0] : ''} (npm start -- --help lists the options)`,
    );
  }
}
