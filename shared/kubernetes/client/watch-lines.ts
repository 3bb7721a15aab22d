/** Splits the response of a watch into its lines, one JSON object each. */
import { Fault } from '../../core/fault.ts';

/** The limit for one event: an API server limits an object to 3 MiB. */
const LINE_LIMIT = 4 * 1024 * 1024;

/** The complete lines of each part, as they arrive. A line that the end of the stream cuts is omitted. */
export async function* watchLines(text: AsyncIterable<string>): AsyncGenerator<readonly unknown[]> {
  let rest = '';
  for await (const part of text) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LIMIT) throw unreadableWatch(`a line of more than ${LINE_LIMIT} characters`);
    if (lines.length > 0) yield lines.map(parsed);
  }
}

export function unreadableWatch(what: string): Fault {
  return new Fault('retryable', `the hub's watch holds ${what}`, { reason: 'UnreadableWatch' });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw unreadableWatch('a line that is not JSON');
  }
}
