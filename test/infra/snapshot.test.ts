import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { synthesize } from './stacks.ts';

/** Names of assets are hashes of code: they change with every commit and are irrelevant here. */
function textOf(template: Template): string {
  return stringify(template.toJSON(), { lineWidth: 0 }).replaceAll(/[0-9a-f]{64}/g, '<asset>');
}

const { state, functions } = synthesize({});

it.each([
  ['state', state],
  ['functions', functions],
])('the %s stack is as it was last agreed', async (name, template) => {
  await expect(textOf(template)).toMatchFileSnapshot(`__snapshots__/${name}.yaml`);
});
