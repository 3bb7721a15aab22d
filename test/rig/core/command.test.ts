import { describe, expect, it } from 'vitest';
import { run } from '../command.ts';
import { parseCommandLine } from '../command-line.ts';

describe('a tool', () => {
  it('that is not installed fails with one line on how to install it', async () => {
    await expect(run('go', ['version'], { env: { PATH: '/nowhere' } })).rejects.toThrow(
      /^Go 1\.26 or newer is needed .*https:\/\/go\.dev\/dl$/,
    );
  });

  it('that fails shows its output', async () => {
    const failing = run(process.execPath, ['-e', 'console.error("the disk is full"); process.exit(4)']);
    await expect(failing).rejects.toThrow(/ended with 4:\nthe disk is full/);
  });

  it('is retried up to the given number of attempts', async () => {
    const script = `const { existsSync, writeFileSync, rmSync } = require('node:fs');
      const file = process.argv[1]; if (existsSync(file)) { rmSync(file); console.log('done'); }
      else { writeFileSync(file, ''); process.exit(1); }`;
    const marker = `/tmp/evenkeel-rig-test-${process.pid}`;
    expect(await run(process.execPath, ['-e', script, marker], { attempts: 2, pauseMs: 1 })).toBe('done\n');
  });
});

describe("the rig's command line", () => {
  it('starts the hub if no part is named', () => {
    expect(parseCommandLine(['up'])).toMatchObject({ command: 'up', parts: ['hub'], name: 'rig', members: 2 });
  });

  it.each([
    [['up', 'hubs'], 'up hubs: there are the parts hub, karmada, ocm, aws'],
    [['upp'], 'upp: no such command'],
    [['up', '--members', '0'], '--members 0: a whole number from 1 to 8 is needed'],
    [['down', 'hub'], 'down hub: one word too many'],
    [['up', '--bogus'], "Unknown option '--bogus'"],
  ])('rejects %j', (argv, message) => {
    expect(() => parseCommandLine(argv)).toThrow(message);
  });
});
