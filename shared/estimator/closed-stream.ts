/** Retries a call once if only its stream was closed, while the connection stays open. */
import { causesOf } from './error-causes.ts';

/** About one in two hundred calls, with many concurrent calls over one connection in a busy process. */
const CUT_SHORT = 'ERR_STREAM_PREMATURE_CLOSE';

export function isCutShort(thrown: unknown): boolean {
  return causesOf(thrown).some(({ code }) => code === CUT_SHORT);
}

/** Only for reads: the result or fault of the second attempt is the call's. */
export async function onceMore<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (!isCutShort(thrown)) throw thrown;
    return call();
  }
}
