import { describe, expect, it } from 'vitest';
import { makeApp, only, resourcesOf, synthesize } from './stacks.ts';

const { state: template } = synthesize({
  settings: { archiveDays: 14 },
});

describe('the table', () => {
  const table = only(resourcesOf(template, 'AWS::DynamoDB::Table'), 'tables');
  const key = only(resourcesOf(template, 'AWS::KMS::Key'), 'keys');

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

  it('has the keys and the expiry that the task store writes', () => {
    expect(table.properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
    expect(table.properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
  });

  it('lists the tasks of a hub by their last change', () => {
    const [index, ...others] = table.properties.GlobalSecondaryIndexes as [{ IndexName: string; KeySchema: unknown }];
    expect(others).toEqual([]);
    expect(index.IndexName).toBe('tasksByHub');
    expect(index.KeySchema).toEqual([
      { AttributeName: 'hub', KeyType: 'HASH' },
      { AttributeName: 'updatedAt', KeyType: 'RANGE' },
    ]);
    expect(table.properties.AttributeDefinitions).toContainEqual({ AttributeName: 'updatedAt', AttributeType: 'N' });
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

describe("a hub's secret", () => {
  const secrets = resourcesOf(template, 'AWS::SecretsManager::Secret');

  it('has no value in the template, so that no deploy overwrites a connection', () => {
    expect(secrets).toHaveLength(4);
    for (const { properties } of secrets)
      expect(Object.keys(properties).toSorted()).toEqual(['Description', 'KmsKeyId', 'Tags']);
  });

  it.each([['evenkeel:hub'], ['evenkeel:hook-access']])('has tags by which the command line finds it: %s', (tag) => {
    const tags = secrets.map(({ properties }) => properties.Tags as readonly { Key: string }[]);
    expect(tags.filter((each) => each.some(({ Key }) => Key === tag))).toEqual(
      ['a-b', 'ab'].map((hub) => [
        { Key: 'evenkeel:deployment', Value: 'evenkeel' },
        { Key: tag, Value: hub },
      ]),
    );
  });

  it('has an output under a name that no other hub shares', () => {
    const outputs = Object.keys(template.findOutputs('*'));
    expect(outputs.filter((name) => name.endsWith('SecretArn')).toSorted()).toEqual([
      'HubaXbSecretArn',
      'HubabSecretArn',
    ]);
    expect(outputs).toEqual(expect.arrayContaining(['TableName', 'BusName']));
  });
});
