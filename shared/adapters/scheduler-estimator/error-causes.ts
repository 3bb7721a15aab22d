/** What an error of a call to an estimator came of. */
import { ConnectError } from '@connectrpc/connect';

interface Cause extends NodeJS.ErrnoException {
  /** OpenSSL's words, without where in its code it says them. */
  readonly reason?: string;
}

/** Down to the first cause. */
export function causesOf(error: unknown): readonly Cause[] {
  const causes: Cause[] = [];
  for (let at = error; at instanceof Error; at = at.cause) if (!(at instanceof ConnectError)) causes.push(at);
  return causes;
}
