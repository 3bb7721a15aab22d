import { afterEach, expect, it, vi } from 'vitest';
import { program } from '../../cli/main.ts';
import { usage } from '../../local/options.ts';

const { exitCode } = process;
afterEach(() => {
  process.exitCode = exitCode;
});

it.each([[['--help']], [['--once', '--help']]])(
  'evenkeel start %j hands its options to the local run, which prints its own help',
  async (options) => {
    const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
    await program().parseAsync(['start', ...options], { from: 'user' });
    expect([log.mock.calls, process.exitCode]).toEqual([[[usage]], 0]);
  },
);

it('evenkeel start passes arguments that are not options to the local run', async () => {
  await expect(program().parseAsync(['start', 'fast', 'now'], { from: 'user' })).rejects.toThrow(
    /^Unexpected argument 'fast'/,
  );
});
