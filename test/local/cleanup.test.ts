import { describe, expect, it } from 'vitest';
import { Cleanup } from '../../local/cleanup.ts';

describe('a cleanup', () => {
  it('ends what was started last first, and waits for each step', async () => {
    const ended: string[] = [];
    const cleanup = new Cleanup();
    const table = cleanup.adopt('table', async (part) => {
      await Promise.resolve();
      ended.push(part);
    });
    cleanup.defer(() => ended.push('bus'));
    cleanup.adopt('hook', (part) => ended.push(part));
    await cleanup.run();
    expect([table, ended]).toEqual(['table', ['hook', 'bus', 'table']]);
  });

  it('runs the other steps if one fails, and then throws its failure', async () => {
    const ended: string[] = [];
    const cleanup = new Cleanup();
    cleanup.defer(() => ended.push('table'));
    cleanup.defer(() => Promise.reject(new Error('the hook does not close')));
    await expect(cleanup.run()).rejects.toThrow('the hook does not close');
    expect(ended).toEqual(['table']);
  });

  it('runs each step once, however often it is run', async () => {
    const ended: string[] = [];
    const cleanup = new Cleanup();
    cleanup.defer(() => ended.push('table'));
    await cleanup.run();
    await cleanup.run();
    expect(ended).toEqual(['table']);
  });
});
