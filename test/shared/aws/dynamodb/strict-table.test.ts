import { describe, expect, it } from 'vitest';
import { FORMAT_CONDITION } from '../../../../shared/aws/dynamodb/table.ts';
import { tasksByHub } from '../../../../shared/core/environment.ts';
import { violationOf } from '../../../fakes/strict-table.ts';

const row = (sk: string) => ({ Item: { sk: { S: sk } } });

describe('the strict table', () => {
  it.each([
    ['GetItem', {}, 'GetItem is not strongly consistent'],
    ['GetItem', { ConsistentRead: true }, undefined],
    ['Query', { ConsistentRead: false }, 'Query is not strongly consistent'],
    ['Query', { IndexName: 'another' }, 'Query is not strongly consistent'],
    ['Query', { IndexName: tasksByHub.name }, undefined],
    ['PutItem', row('META'), 'PutItem of META has no condition'],
    ['PutItem', { ...row('META'), ConditionExpression: 'attribute_not_exists(pk)' }, undefined],
    ['PutItem', { ...row('META'), ConditionExpression: FORMAT_CONDITION }, 'PutItem of META has no condition'],
    ['PutItem', row('RUN#run-1#CHUNK#00001'), undefined],
    ['PutItem', row('PLAN#plan-1#CHUNK#00001'), 'PutItem of PLAN#plan-1#CHUNK#00001 has no condition'],
    ['PutItem', row('RUN#run-1#uid#WAVE#00001'), 'PutItem of RUN#run-1#uid#WAVE#00001 has no condition'],
    ['PutItem', row('RUN#run-1#uid#SKIPPED#00001'), undefined],
    ['UpdateItem', { Key: { sk: { S: 'LEASE' } } }, 'UpdateItem of LEASE has no condition'],
    ['DeleteItem', { Key: { sk: { S: 'karmada' } } }, 'DeleteItem of karmada has no condition'],
    ['TransactWriteItems', {}, 'TransactWriteItems is not checked here'],
    ['CreateTable', {}, undefined],
  ])('reports the violation in %s of %j', (operation, request, violation) => {
    expect(violationOf(operation, request)).toBe(violation);
  });
});
