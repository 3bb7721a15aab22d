/** A call that is asked again where it alone was cut short: its stream was closed under it, while the connection goes on. */
import { causesOf } from './error-causes.ts';

/** About one in two hundred, where many are asked at once over one connection and the process is busy. */
const CUT_SHORT = 'ERR_STREAM_PREMATURE_CLOSE';

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
