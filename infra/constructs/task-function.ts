/** A Lambda function from its definition: runtime, size, log group, environment and permissions. */
import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../shared/bus/functions.ts';
import { shortNameOf } from '../function-paths.ts';
import { acknowledge } from './acknowledge.ts';
import type { EventRoute } from './event-route.ts';
import { type FunctionContext, type FunctionPlace, readsHubSecrets } from './function-context.ts';
import { environmentOf } from './function-environment.ts';
import { connectionsArn, exportsToXray, grantsOf, schedulesArn } from './function-grants.ts';
import { logGroup, logsPrefix } from './log-group.ts';
import { enterNetwork, networkGrants, standsInNetwork } from './network.ts';
import { wildcardFinding } from './wildcard-finding.ts';

export interface TaskFunctionProps extends FunctionContext {
  /** The routes to this function. */
  readonly routes: readonly EventRoute[];
}

export class TaskFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logs: LogGroup;

  constructor(scope: Construct, name: FunctionName, props: TaskFunctionProps) {
    super(scope, shortNameOf(name));
    const place: FunctionPlace = { ...props, definition: functions[name] };
    const { definition, config } = place;
    this.logs = logGroup(this, 'Log', config.settings, `${logsPrefix(config)}${shortNameOf(name)}`);
    const { logs } = this;
    const functionName = `${config.name}-${shortNameOf(name)}`;
    const network = standsInNetwork(definition) ? config.network : undefined;
    const ofNetwork = network ? networkGrants(Stack.of(this), functionName) : [];
    const role = new Role(this, 'Role', {
      description: `Evenkeel: ${name} decides ${definition.decides}`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { definition: new PolicyDocument({ statements: [...grantsOf(place, logs), ...ofNetwork] }) },
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName,
      description: `Decides ${definition.decides}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: props.codeOf(name),
      timeout: Duration.seconds(definition.timeoutSeconds),
      memorySize: definition.memoryMb,
      role: role.withoutPolicyUpdates(),
      logGroup: logs,
      environment: environmentOf(place),
    });
    if (definition.schedules.length > 0) acknowledgeScheduleNames(role, schedulesArn(place));
    if (readsHubSecrets(definition)) acknowledgeConnectionNames(role, connectionsArn(place));
    if (definition.readsLogs)
      acknowledgeAnyResource(
        role,
        'CloudWatch Logs takes no resource for GetQueryResults; a query can only be started on the groups that are named.',
      );
    if (definition.readsTags)
      acknowledgeAnyResource(role, 'The Tagging API takes no resource for GetResources, which reads tags and no more.');
    if (exportsToXray(config)) acknowledgeAnyResource(role, 'X-Ray takes no resource for PutTraceSegments.');
    if (network) enterNetwork(this.lambda, role, network);
    for (const route of props.routes) route.feed(this.lambda);
  }
}

function acknowledgeConnectionNames(role: Role, arn: string): void {
  acknowledge(role, {
    id: wildcardFinding(role.stack, arn),
    reason:
      'Hubs are registered while the deployment runs, so the names of their secrets are known only then; the grant is bound to the prefix of this deployment, which holds nothing else, and to its tag.',
  });
}

function acknowledgeAnyResource(role: Role, reason: string): void {
  acknowledge(role, { id: wildcardFinding(role.stack, '*'), reason });
}

function acknowledgeScheduleNames(role: Role, arn: string): void {
  acknowledge(role, {
    id: wildcardFinding(role.stack, arn),
    reason:
      'A one-time schedule is named after the object it is for, so its name is known only when it is made; the grant is bound to the one group that holds nothing but such schedules.',
  });
}
