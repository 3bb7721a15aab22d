/**
 * Evenkeel as one construct, for CDK apps:
 * `new Evenkeel(this, 'Evenkeel', {})`. Hubs are registered later, with `evenkeel hub add`.
 */
import type { ISecurityGroup } from 'aws-cdk-lib/aws-ec2';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type EvenkeelConfigInput, hasConsole, parseConfig } from './config.ts';
import { Console } from './constructs/console.ts';
import type { ConsoleApiFunctions } from './constructs/console-api-functions.ts';
import { deploymentOf } from './constructs/deployment.ts';
import { Functions } from './constructs/functions.ts';
import { State } from './constructs/state.ts';
import { bundledCode } from './function-code.ts';
import { SERVE_CONSOLE } from './function-paths.ts';

export interface EvenkeelProps extends EvenkeelConfigInput {
  /** Created in another stack, so that this one can be deleted; created here by default. */
  readonly state?: State;
  /** The code of a function, by its name, as `workload-rebalancer/plan-rebalance`; the package's own bundles by default. */
  readonly codeOf?: (name: string) => Code;
  /** Notified by every alarm; created by default. An own topic's policy and key must allow CloudWatch to publish. */
  readonly alarmTopic?: ITopic;
}

export class Evenkeel extends Construct {
  readonly state: State;
  /** Where hubs send to: each to its own path below this URL. */
  readonly hookUrl: string;
  /** Target of the DNS record for the hook's own domain, if configured. */
  readonly hookDomainTarget: string | undefined;
  /** ARNs of the roles that call hubs, for a hub that lets them in by their AWS identity (EKS). */
  readonly hubCallers: readonly string[];
  /** Grant lambda:InvokeFunction for read and write access: `consoleApi.runQuery.grantInvoke(role)`. */
  readonly consoleApi: ConsoleApiFunctions;
  /** URL of the page, if `console` is configured, which adds about ten resources to the stack's limit of 500. */
  readonly consoleUrl: string | undefined;
  /** Security groups of the functions that call hubs, if they run in a VPC: the hubs' own security groups must allow them. */
  readonly securityGroups: readonly ISecurityGroup[];
  /** Every alarm notifies this topic; subscribe the operators to it. */
  readonly alarmTopic: ITopic;

  constructor(scope: Construct, id: string, props: EvenkeelProps) {
    super(scope, id);
    const { state, codeOf = bundledCode, alarmTopic, ...input } = props;
    const config = parseConfig(input);
    this.state = state ?? new State(this, 'State', config);
    const deployment = deploymentOf(this, config);
    this.securityGroups = deployment.network?.securityGroups ?? [];
    const { hook, monitoring, hubCallers, consoleApi } = new Functions(this, 'Functions', {
      config: deployment,
      state: this.state,
      codeOf,
      alarmTopic,
    });
    this.hookUrl = hook.url;
    this.hookDomainTarget = hook.domainTarget;
    this.hubCallers = hubCallers;
    this.consoleApi = consoleApi;
    this.alarmTopic = monitoring.topic;
    this.consoleUrl = hasConsole(config)
      ? new Console(this, 'Console', { config, code: codeOf(SERVE_CONSOLE) }).url
      : undefined;
  }

  /** The URL for the audit webhook of a hub. */
  hookUrlOf(hub: string): string {
    return `${this.hookUrl}/hubs/${hub}/audit`;
  }
}
