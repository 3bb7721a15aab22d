/** Ends a local run when its disk cannot be written, with one line that names the remedy. */
import { Fault } from '../shared/core/fault.ts';

const codes = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** The Fault for such an error; undefined for any other. */
export function fullDisk(thrown: unknown): Fault | undefined {
  const { code = '', path } = (thrown ?? {}) as NodeJS.ErrnoException;
  if (!codes.has(code)) return undefined;
  const where = path === undefined ? 'the data folder' : path;
  const remedy = 'free space and start again with the same --data, which keeps everything that was acknowledged';
  return new Fault('terminal', `${where} cannot be written (${code}): ${remedy}`, {
    reason: 'FullDisk',
    cause: thrown,
  });
}

/** Exits with code 2, even if the caller would catch the error and retry. */
export function endOnFullDisk(): void {
  process.on('uncaughtException', (thrown) => {
    const fault = fullDisk(thrown);
    console.error(fault === undefined ? thrown : `evenkeel: ${fault.message}`);
    process.exit(fault === undefined ? 1 : 2);
  });
}
