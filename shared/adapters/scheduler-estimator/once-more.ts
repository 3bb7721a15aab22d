/** A call that is asked again where it alone was cut short: its stream was closed under it, while the connection goes on. */
import { ConnectError } from '@connectrpc/connect';

/** About one in two hundred, where many are asked at once over one connection and the process is busy. */
const CUT_SHORT = 'ERR_STREAM_PREMATURE_CLOSE';

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

export function isCutShort(thrown: unknown): boolean {
  return causesOf(thrown).some(({ code }) => code === CUT_SHORT);
}

/** For questions, which change nothing: the second try's answer or fault is the call's. */
export async function onceMore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (!isCutShort(thrown)) throw thrown;
    return call();
  }
}
