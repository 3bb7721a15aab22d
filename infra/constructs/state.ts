/** Stateful resources: the tables of tasks and of hubs, their key, and the bus with its archive. The secrets of hubs are made when they are registered. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { keyAlias, tasksByHub } from '../../shared/core/environment.ts';
import type { EvenkeelConfig } from '../config.ts';
import { ownAndBridges } from './event-sources.ts';

export type StateConfig = Pick<EvenkeelConfig, 'name' | 'settings'>;

export class State extends Construct {
  readonly key: kms.Key;
  readonly table: dynamodb.Table;
  /** The registry of hubs. */
  readonly hubsTable: dynamodb.Table;
  readonly bus: events.EventBus;

  constructor(scope: Construct, id: string, config: StateConfig) {
    super(scope, id);
    this.key = this.#makeKey(config);
    this.table = this.#makeTaskTable();
    this.hubsTable = this.#makeTable('Hubs');
    // The bus is encrypted with AWS's own key: its events contain names and no state, and with a customer managed key every delivery would
    // depend on one more permission, without which events are dropped silently.
    this.bus = new events.EventBus(this, 'Bus', { eventBusName: config.name });
    new events.Archive(this, 'Archive', {
      sourceEventBus: this.bus,
      eventPattern: { source: [...ownAndBridges] },
      retention: Duration.days(config.settings.archiveDays),
      description: 'For a replay: consumers re-read the truth, so an old event is harmless',
    });
  }

  #makeKey({ name }: StateConfig): kms.Key {
    const key = new kms.Key(this, 'Key', {
      description: "Evenkeel: the tables, the hubs' secrets and the alarms' topic",
      // evenkeel hub add names it for the secret of a hub. Not evenkeel-NAME, because the default deployment is named evenkeel.
      alias: keyAlias(name),
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

  #makeTable(id: string, more: Partial<dynamodb.TableProps> = {}): dynamodb.Table {
    const string = dynamodb.AttributeType.STRING;
    return new dynamodb.Table(this, id, {
      partitionKey: { name: 'pk', type: string },
      sortKey: { name: 'sk', type: string },
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: this.key,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...more,
    });
  }

  #makeTaskTable(): dynamodb.Table {
    const table = this.#makeTable('Tasks', { timeToLiveAttribute: 'expiresAt' });
    // For lists of tasks in the UI. No deciding function may read it: an index lags, and a decision needs the row itself.
    table.addGlobalSecondaryIndex({
      indexName: tasksByHub.name,
      partitionKey: { name: tasksByHub.key, type: dynamodb.AttributeType.STRING },
      sortKey: { name: tasksByHub.sort, type: dynamodb.AttributeType.NUMBER },
      projectionType: dynamodb.ProjectionType.INCLUDE,
      nonKeyAttributes: [...tasksByHub.holds],
    });
    return table;
  }
}
