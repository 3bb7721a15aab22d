/** Answers a watch from a practice hub's store on virtual time: the past changes, then a bookmark, then the end. */
import { type StreamedEvent, type Watches } from '../../local/practice-hub/api/watches.ts';
import { kinds } from '../../local/practice-hub/store/kinds.ts';
import type { ApiStore } from '../../local/practice-hub/store/object-store.ts';
import { StatusError } from '../../local/practice-hub/store/status-error.ts';
import type { ApiRequest, ApiStream } from '../../shared/kubernetes/client/transport.ts';

export function watchStream({ path }: ApiRequest, store: ApiStore, watches: Watches): ApiStream {
  const [place = '', query = ''] = path.split('?');
  const [, , group = '', , plural = ''] = place.split('/');
  const kind = kinds.find((each) => each.group === group && each.plural === plural);
  if (kind === undefined) throw new Error(`no watch of ${place} is known here`);
  const resourceVersion = new URLSearchParams(query).get('resourceVersion') ?? '';
  const lines: string[] = [];
  const send = (event: object) => lines.push(`${JSON.stringify(event)}\n`);
  try {
    const see = ({ type, object }: StreamedEvent) => send({ type, object });
    watches.watch({ plural: kind.storeName, matches: () => true, resourceVersion }, see)();
    send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(store.revision()) } } });
  } catch (thrown) {
    if (!(thrown instanceof StatusError)) throw thrown;
    send({ type: 'ERROR', object: thrown.toStatus() });
  }
  return { status: 200, text: streamed(lines) };
}

async function* streamed(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
