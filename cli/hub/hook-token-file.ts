/** The file with the token that a hub presents to the hook. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Fault, invalidOption } from '../../shared/core/fault.ts';
import { addHookToken, hookTokensOf, type StoredConnection } from './next-connection.ts';

/** The hook token of the file. A new one is created if there is none, or if the file does not exist; otherwise the current ones are kept. */
export function hookTokensFor(held: StoredConnection, file: string | undefined): readonly string[] {
  const tokens = hookTokensOf(held);
  if (file === undefined) return tokens.length > 0 ? tokens : [newToken()];
  return addHookToken(tokens, tokenOf(file));
}

function tokenOf(file: string): string {
  try {
    const made = newToken();
    writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx' });
    return made;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, thrown);
  }
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (/^\S{16,}$/.test(token)) return token;
  } catch (thrown) {
    throw unusable(file, thrown);
  }
  throw invalidOption(
    `--hook-token-file ${file} holds no token of 16 characters or more; name a file that is not there, for a new one`,
  );
}

function unusable(file: string, thrown: unknown): Fault {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  return invalidOption(`--hook-token-file ${file} cannot be used (${code}); name a file that can be written`);
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}
