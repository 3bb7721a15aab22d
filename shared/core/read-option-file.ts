/** Reads the file that an option names. */
import { readFileSync } from 'node:fs';
import { invalidOption } from './fault.ts';

export function readOptionFile(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    throw invalidOption(`${option} ${file} cannot be read (${code}); give a file that can`);
  }
}
