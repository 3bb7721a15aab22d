/** Stateful resources: the table, its key, the bus with its archive, and secrets for each hub. */
import { Duration, RemovalPolicy, Tags } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type HubPart, hubTag, tasksByHub } from '../../shared/core/environment.ts';
import type { EvenkeelConfig } from '../config.ts';
import { acknowledge } from './acknowledge.ts';
import { ownAndBridges } from './event-sources.ts';

/** Only the names of hubs are used. */
export interface StateConfig extends Pick<EvenkeelConfig, 'name' | 'settings'> {
  readonly hubs?: readonly { readonly name: string }[];
}

/** A hub's two secrets: construct id, contents for the description, and why Secrets Manager does not rotate them. */
const parts = {
  hub: {
    id: 'Hub',
    holds: 'the connection',
    unrotated:
      'The value is a credential issued by a Kubernetes API server that AWS can neither renew nor reach; hub-connection/renew-token requests a new token from the API server in time, and functions read it again within hubConnectionSeconds, or when the old one is rejected.',
  },
  hookAccess: {
    id: 'HookAccess',
    holds: 'the access list of the hook',
    unrotated:
      "The value holds digests of the hub's hook tokens, and no credential; it changes with them (evenkeel hub add --hook-token-file).",
  },
} as const satisfies Record<HubPart, object>;

export class State extends Construct {
  readonly key: kms.Key;
  readonly table: dynamodb.Table;
  readonly bus: events.EventBus;
  /** In the order of the hubs. */
  readonly hubSecrets: ReadonlyMap<string, secretsmanager.Secret>;
  /** Hub name → the secret with its access list, the only secret of a hub that the hook's functions may read. */
  readonly hookAccess: ReadonlyMap<string, secretsmanager.Secret>;

  constructor(scope: Construct, id: string, config: StateConfig) {
    super(scope, id);
    this.key = this.#makeKey();
    this.table = this.#makeTable();
    // The bus is encrypted with AWS's own key: its events contain names and no state, and with a customer managed key every delivery would
    // depend on one more permission, without which events are dropped silently.
    this.bus = new events.EventBus(this, 'Bus', { eventBusName: config.name });
    new events.Archive(this, 'Archive', {
      sourceEventBus: this.bus,
      eventPattern: { source: [...ownAndBridges] },
      retention: Duration.days(config.settings.archiveDays),
      description: 'For a replay: consumers re-read the truth, so an old event is harmless',
    });
    this.hubSecrets = new Map(
      (config.hubs ?? []).map(({ name }) => [name, this.#makeHubSecret(config.name, { hub: name, part: 'hub' })]),
    );
    this.hookAccess = new Map(
      (config.hubs ?? []).map(({ name }) => [
        name,
        this.#makeHubSecret(config.name, { hub: name, part: 'hookAccess' }),
      ]),
    );
  }

  #makeKey(): kms.Key {
    const key = new kms.Key(this, 'Key', {
      description: "Evenkeel: the task table, the hubs' secrets and the alarms' topic",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // CloudWatch publishes an alarm to the encrypted topic as a service, not with a role that could be granted permissions.
    // No condition on the account: an alarm that is denied the key notifies no user, and the topic's own policy excludes
    // other accounts.
    key.addToResourcePolicy(
      new iam.PolicyStatement({
        sid: 'AlarmsReachTheTopic',
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
      }),
    );
    return key;
  }

  #makeTable(): dynamodb.Table {
    const string = dynamodb.AttributeType.STRING;
    const table = new dynamodb.Table(this, 'Tasks', {
      partitionKey: { name: 'pk', type: string },
      sortKey: { name: 'sk', type: string },
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.key,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expiresAt',
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // For lists of tasks in the UI. No deciding function may read it: an index lags, and a decision needs the row itself.
    table.addGlobalSecondaryIndex({
      indexName: tasksByHub.name,
      partitionKey: { name: tasksByHub.key, type: string },
      sortKey: { name: tasksByHub.sort, type: dynamodb.AttributeType.NUMBER },
      projectionType: dynamodb.ProjectionType.INCLUDE,
      nonKeyAttributes: [...tasksByHub.holds],
    });
    return table;
  }

  /**
   * Empty until evenkeel hub add fills it (docs/connect-a-hub.md): the template has neither a value nor a generator, so that no deployment
   * overwrites a connection. It is deleted with its hub, because an unused credential is only a risk.
   */
  #makeHubSecret(
    deployment: string,
    { hub, part }: { readonly hub: string; readonly part: HubPart },
  ): secretsmanager.Secret {
    const { id, holds } = parts[part];
    const secret = new secretsmanager.Secret(this, `${id}-${hub}`, {
      description: `Evenkeel: ${holds} of hub ${hub}; how to fill it: docs/connect-a-hub.md`,
      encryptionKey: this.key,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Tags.of(secret).add(hubTag.deployment, deployment);
    Tags.of(secret).add(hubTag[part], hub);
    (secret.node.defaultChild as secretsmanager.CfnSecret).addPropertyDeletionOverride('GenerateSecretString');
    acknowledge(secret, {
      id: 'AwsSolutions-SMG4',
      reason: parts[part].unrotated,
    });
    return secret;
  }
}
