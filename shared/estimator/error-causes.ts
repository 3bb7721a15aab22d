/** The causes of an error in a call to an estimator. */
import { ConnectError } from '@connectrpc/connect';

interface Cause extends NodeJS.ErrnoException {
  /** OpenSSL's message, without its source location. */
  readonly reason?: string;
}

/** From the error to its first cause. */
export function causesOf(error: unknown): readonly Cause[] {
  const causes: Cause[] = [];
  for (let at = error; at instanceof Error; at = at.cause) if (!(at instanceof ConnectError)) causes.push(at);
  return causes;
}
