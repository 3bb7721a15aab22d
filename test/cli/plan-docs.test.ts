/** The examples of docs/guides/plan.md are the output of the command. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plan } from './plan-scene.ts';

const docs = readFileSync('docs/guides/plan.md', 'utf8');
const fleet = ['-f', 'examples/plan/fleet.yaml'];

function shown(marker: string): string {
  const [, block] =
    new RegExp(`<!-- ${marker} -->\n\`\`\`\\w+\n(.*?)\`\`\`\n<!-- /${marker} -->`, 's').exec(docs) ?? [];
  if (block === undefined) throw new Error(`docs/guides/plan.md has no block ${marker}`);
  return block;
}

describe('docs/guides/plan.md', () => {
  it.each([
    ['table', [...fleet]],
    ['explain', [...fleet, 'web']],
    ['json', [...fleet, 'report', '-o', 'json']],
    ['policy', ['-f', 'examples/plan', '--policy', 'failback']],
    ['elastic', ['-f', 'examples/plan/elastic']],
    ['elastic-json', ['-f', 'examples/plan/elastic', 'some-above-max', '-o', 'json']],
  ])('shows the %s as it is printed', async (marker, args) => {
    const { out } = await plan(...args);
    expect(shown(marker)).toBe(out);
  });
});

describe('examples/rebalance-policy.yaml', () => {
  it('contains policies for which the preview reports no problem', async () => {
    const { code } = await plan(...fleet, '-f', 'examples/rebalance-policy.yaml', '--policy', 'come-home');
    expect(code).toBe(3);
  });
});
