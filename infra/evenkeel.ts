/**
 * Evenkeel as one construct, for people who have a CDK app of their own:
 * `new Evenkeel(this, 'Evenkeel', { hubs: [{ name: 'karmada' }] })`.
 */
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { FunctionName } from '../shared/functions.ts';
import { Fault } from '../shared/model/fault.ts';
import { type EvenkeelConfigInput, hasConsole, parseConfig } from './config.ts';
import { Console } from './constructs/console.ts';
import { Functions, type OperatorFunctions } from './constructs/functions.ts';
import { State } from './constructs/state.ts';
import { bundledCode } from './function-code.ts';
import { SERVE_CONSOLE } from './function-paths.ts';

export interface EvenkeelProps extends EvenkeelConfigInput {
  /** Made in another stack, so that this one can be thrown away; made here unless given. */
  readonly state?: State;
  /** The package's own bundles unless given. */
  readonly codeOf?: (name: FunctionName | typeof SERVE_CONSOLE) => Code;
}

export class Evenkeel extends Construct {
  readonly state: State;
  /** Hub name → the URL for the hub's audit webhook. */
  readonly hookUrls: ReadonlyMap<string, string>;
  /** Where the DNS record of the hook's own domain points, if it has one. */
  readonly hookDomainTarget: string | undefined;
  /** ARNs of the roles that call hubs, for a hub that lets them in by their AWS identity (EKS). */
  readonly hubCallers: readonly string[];
  /** Grant lambda:InvokeFunction on them to who may ask, and to who may order: `operator.answerQuestion.grantInvoke(role)`. */
  readonly operator: OperatorFunctions;
  /** Where the page is, where `console` names an issuer; about ten more resources then, of a stack's 500. */
  readonly consoleUrl: string | undefined;
  /** Every alarm tells this topic; subscribe whoever is to know. */
  readonly alarmTopic: ITopic;

  constructor(scope: Construct, id: string, props: EvenkeelProps) {
    super(scope, id);
    const { state, codeOf = bundledCode, ...input } = props;
    const config = parseConfig(input);
    const strangers = config.hubs.filter(({ name }) => state && !state.hubSecrets.has(name));
    if (strangers.length > 0) {
      const names = strangers.map(({ name }) => name).join(', ');
      throw new Fault('terminal', `the given state has no secret for ${names}; make it with the same hubs`, {
        reason: 'InvalidConfig',
      });
    }
    this.state = state ?? new State(this, 'State', config);
    const { hook, monitoring, hubCallers, operator } = new Functions(this, 'Functions', {
      config,
      state: this.state,
      codeOf,
    });
    this.hookUrls = new Map(config.hubs.map(({ name }) => [name, hook.urlOf(name)]));
    this.hookDomainTarget = hook.domainTarget;
    this.hubCallers = hubCallers;
    this.operator = operator;
    this.alarmTopic = monitoring.topic;
    this.consoleUrl = hasConsole(config)
      ? new Console(this, 'Console', { config, code: codeOf(SERVE_CONSOLE) }).url
      : undefined;
  }
}
