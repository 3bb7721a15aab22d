/** Certificates for estimators in tests: one that both sides know, and a stranger's. */
import { type KeyPair, loopbackKeyPair } from '../../local/hook-access.ts';

export interface Identities {
  readonly known: KeyPair;
  readonly stranger: KeyPair;
}

let made: Promise<Identities> | undefined;

/** Made once a test file. */
export function identities(): Promise<Identities> {
  made ??= Promise.all([loopbackKeyPair('known'), loopbackKeyPair('stranger')]).then(([known, stranger]) => ({
    known,
    stranger,
  }));
  return made;
}
