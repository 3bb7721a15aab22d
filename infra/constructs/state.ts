/** What must outlive a deployment: the table, its key, the bus with its archive, and a secret for each hub. */
import { Duration, RemovalPolicy, Tags, Validations } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { SOURCE } from '../../shared/events/event.ts';
import { hubTag, tasksByHub } from '../../shared/wiring.ts';
import type { EvenkeelConfig } from '../config.ts';

export class State extends Construct {
  readonly key: kms.Key;
  readonly table: dynamodb.Table;
  readonly bus: events.EventBus;
  /** In the order of the hubs. */
  readonly hubSecrets: ReadonlyMap<string, secretsmanager.Secret>;

  constructor(scope: Construct, id: string, config: EvenkeelConfig) {
    super(scope, id);
    this.key = this.#makeKey();
    this.table = this.#makeTable();
    // The bus keeps AWS's own key: its events carry names and no state, and under a key of ours every delivery would
    // hang on one more permission whose loss drops events without a word.
    this.bus = new events.EventBus(this, 'Bus', { eventBusName: config.name });
    new events.Archive(this, 'Archive', {
      sourceEventBus: this.bus,
      eventPattern: { source: [SOURCE] },
      retention: Duration.days(config.settings.archiveDays),
      description: 'For a replay: consumers re-read the truth, so an old event is harmless',
    });
    this.hubSecrets = new Map(config.hubs.map(({ name }) => [name, this.#makeHubSecret(config.name, name)]));
  }

  #makeKey(): kms.Key {
    const key = new kms.Key(this, 'Key', {
      description: "Evenkeel: the task table, the hubs' secrets and the alarms' topic",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // CloudWatch publishes an alarm to the encrypted topic as itself, not as a role that we could grant something to.
    // No condition on the account: an alarm whose key is refused rings for nobody, and the topic's own policy keeps
    // other accounts out.
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
    // For people who list tasks. No function that decides may read it: an index lags, and a decision needs the row itself.
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
   * Empty until evenkeel hub add fills it (docs/connect-a-hub.md): neither a value nor a generator is in the template, so that no deploy can
   * overwrite a connection. It goes with its hub, because a credential that nobody uses is only a risk.
   */
  #makeHubSecret(deployment: string, hub: string): secretsmanager.Secret {
    const secret = new secretsmanager.Secret(this, `Hub-${hub}`, {
      description: `Evenkeel: the connection of hub ${hub}; how to fill it: docs/connect-a-hub.md`,
      encryptionKey: this.key,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Tags.of(secret).add(hubTag.deployment, deployment);
    Tags.of(secret).add(hubTag.hub, hub);
    (secret.node.defaultChild as secretsmanager.CfnSecret).addPropertyDeletionOverride('GenerateSecretString');
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'The value is a credential issued by a Kubernetes API server that AWS can neither renew nor reach; hub-connection/renew-token has the API server make a new token in time, and functions read it anew within hubConnectionSeconds, or when the old one is refused.',
    });
    return secret;
  }
}
