import { describe, expect, it } from 'vitest';
import { makeApp, only, resourcesOf, synthesize } from './stacks.ts';

const { state: template } = synthesize({
  settings: { archiveDays: 14 },
});

const tables = resourcesOf(template, 'AWS::DynamoDB::Table');
const tableOf = (name: string) =>
  only(
    tables.filter(({ id }) => id.includes(name)),
    `tables of ${name}`,
  );
const key = only(resourcesOf(template, 'AWS::KMS::Key'), 'keys');

describe.each(['Tasks', 'Hubs'])('the table %s', (name) => {
  const table = tableOf(name);

  it('outlives its stack, and so does its key', () => {
    expect([table.deletion, key.deletion]).toEqual(['Retain', 'Retain']);
    expect(table.properties.DeletionProtectionEnabled).toBe(true);
    expect(makeApp().state.terminationProtection).toBe(true);
  });

  it('can be restored to any moment, is paid by the request, and encrypted with a key of ours that rotates', () => {
    expect(table.properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    expect(table.properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(table.properties.SSESpecification).toEqual({
      KMSMasterKeyId: { 'Fn::GetAtt': [key.id, 'Arn'] },
      SSEEnabled: true,
      SSEType: 'KMS',
    });
    expect(key.properties.EnableKeyRotation).toBe(true);
  });

  it('has the keys that its stores write', () => {
    expect(table.properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
  });
});

describe('the tables', () => {
  it('are two, of which only that of tasks expires rows: a hub is never forgotten', () => {
    expect(tables).toHaveLength(2);
    expect(tableOf('Tasks').properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
    expect(tableOf('Hubs').properties.TimeToLiveSpecification).toBeUndefined();
  });

  it('list the tasks of a hub by their last change', () => {
    const { properties } = tableOf('Tasks');
    const [index, ...others] = properties.GlobalSecondaryIndexes as [{ IndexName: string; KeySchema: unknown }];
    expect(others).toEqual([]);
    expect(index.IndexName).toBe('tasksByHub');
    expect(index.KeySchema).toEqual([
      { AttributeName: 'hub', KeyType: 'HASH' },
      { AttributeName: 'updatedAt', KeyType: 'RANGE' },
    ]);
    expect(properties.AttributeDefinitions).toContainEqual({ AttributeName: 'updatedAt', AttributeType: 'N' });
    expect(tableOf('Hubs').properties.GlobalSecondaryIndexes).toBeUndefined();
  });
});

describe('the key', () => {
  it('has an alias by which evenkeel hub add names it for the secret of a hub', () => {
    const alias = only(resourcesOf(template, 'AWS::KMS::Alias'), 'aliases').properties;
    expect(alias.AliasName).toBe('alias/evenkeel-evenkeel');
    expect(alias.TargetKeyId).toEqual({ 'Fn::GetAtt': [key.id, 'Arn'] });
  });
});

describe('the bus', () => {
  it('has a name, and an archive of our events for the period in the settings', () => {
    const bus = only(resourcesOf(template, 'AWS::Events::EventBus'), 'buses');
    expect(bus.properties.Name).toBe('evenkeel');
    const archive = only(resourcesOf(template, 'AWS::Events::Archive'), 'archives').properties;
    expect(archive.RetentionDays).toBe(14);
    expect(archive.EventPattern).toEqual({ source: ['evenkeel', { prefix: 'evenkeel.hub.' }] });
    expect(archive.SourceArn).toEqual({ 'Fn::GetAtt': [bus.id, 'Arn'] });
  });
});

describe('hubs', () => {
  it('have no resource in the stack: they are registered while it runs', () => {
    expect(resourcesOf(template, 'AWS::SecretsManager::Secret')).toEqual([]);
    expect(
      Object.keys(template.findOutputs('*'))
        .filter((name) => !name.startsWith('Exports'))
        .toSorted(),
    ).toEqual(['BusName', 'HubsTableName', 'TableName']);
  });
});
