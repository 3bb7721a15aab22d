import { describe, expect, it } from 'vitest';
import { fullDisk } from '../../local/full-disk.ts';

const failed = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: write failed`), { code, ...(path !== undefined && { path }) });

describe('an error of the disk', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EROFS'])('%s ends a local run, and names the file and the fix', (code) => {
    const thrown = failed(code, '/state/lock');
    expect(fullDisk(thrown)).toMatchObject({
      retryClass: 'terminal',
      reason: 'FullDisk',
      cause: thrown,
      message: `/state/lock cannot be written (${code}): free space and start again with the same --data, which keeps everything that was acknowledged`,
    });
  });

  it('names the data folder if the error has no path', () => {
    expect(fullDisk(failed('ENOSPC'))?.message).toMatch(/^the data folder cannot be written \(ENOSPC\): /);
  });

  it.each([[failed('ENOENT')], [new Error('no code')], [undefined], [null]])(
    '%s does not end a local run',
    (thrown) => {
      expect(fullDisk(thrown)).toBeUndefined();
    },
  );
});
