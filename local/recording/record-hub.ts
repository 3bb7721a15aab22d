/** Records a hub: all of its objects at the start and at the beginning of each day, and between these what changes. */
import { digest } from '../../shared/core/digest.ts';
import { asFault, isNotServed } from '../../shared/core/fault.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import {
  type RecordedKind,
  type RecordedObject,
  recordedKey,
  recordedKinds,
  requiredKinds,
  withoutUsage,
} from './recorded-object.ts';
import { RECORDING_FORMAT, type RecordedLine } from './recording-files.ts';

/** Changes of one object within it are one line. */
const POLL = 10 * SECOND;
/** A change of nothing but the pods on a cluster is written this seldom: each pod that starts or ends changes it. */
const USAGE_EVERY = 300 * SECOND;

export interface RecordingPorts {
  readonly hub: Hub;
  readonly write: (lines: readonly RecordedLine[]) => void;
  readonly now: () => Instant;
  /** Ends early if the recording is to end. */
  readonly wait: (ms: number) => Promise<void>;
  readonly warn: (warning: string) => void;
}

/** Until the signal aborts. A hub that does not respond is asked again; only the first snapshot must succeed. */
export async function recordHub(ports: RecordingPorts, signal: AbortSignal): Promise<void> {
  const recorder = new HubRecorder(ports);
  await recorder.snapshot();
  let failure = '';
  while (!signal.aborted) {
    // Also once it is to end, so that the changes before it are recorded.
    await ports.wait(POLL);
    try {
      await recorder.poll();
      failure = '';
    } catch (thrown) {
      const { message, retryClass } = asFault(thrown);
      if (retryClass === 'terminal') throw thrown;
      if (message !== failure) ports.warn(`${message}; the recording goes on when the hub responds`);
      failure = message;
    }
  }
  recorder.stop();
}

/** The last written line of an object; digests, so that 100,000 objects take some 20 MB. */
interface WrittenLine {
  readonly whole: string;
  readonly withoutUsage: string;
  readonly at: Instant;
}

class HubRecorder {
  readonly #ports: RecordingPorts;
  /** By recordedKey. */
  #written = new Map<string, WrittenLine>();
  /** Changes that wait for USAGE_EVERY, by recordedKey. */
  readonly #waiting = new Map<string, RecordedObject>();
  /** By kind; absent if the hub does not serve it, or it may not be read. */
  readonly #versions = new Map<string, string>();
  #day = '';

  constructor(ports: RecordingPorts) {
    this.#ports = ports;
  }

  async snapshot(): Promise<void> {
    const at = toTimestamp(this.#ports.now());
    const isFirst = this.#day === '';
    this.#written = new Map();
    this.#waiting.clear();
    this.#ports.write([{ at, event: 'SnapshotStarted', format: RECORDING_FORMAT, ...(isFirst && { isFirst }) }]);
    for (const kind of recordedKinds) await this.#list(kind, at);
    this.#ports.write([{ at, event: 'SnapshotEnded' }]);
    this.#day = dayOf(at);
  }

  async poll(): Promise<void> {
    const at = toTimestamp(this.#ports.now());
    if (dayOf(at) !== this.#day) return this.snapshot();
    const { hub, write } = this.#ports;
    const followed = recordedKinds.flatMap((kind) => {
      const from = this.#versions.get(kind.kind);
      return from === undefined ? [] : [{ kind, from }];
    });
    // A watch may wait a second for its bookmark, so the kinds are read at once.
    const read = await Promise.all(
      followed.map(async ({ kind, from }) => ({ kind, changes: await hub.changes(kind, from) })),
    );
    for (const { kind, changes } of read) {
      if (changes === undefined) {
        await this.#list(kind, at);
        continue;
      }
      const changed = [...changes.changed];
      write(
        changed.flatMap(([key, object]) =>
          object === undefined ? this.#gone(goneOf(kind, key), at) : this.#changed(object, at),
        ),
      );
      this.#versions.set(kind.kind, changes.version);
    }
    write([...this.#waiting.values()].flatMap((object) => this.#changed(object, at)));
  }

  stop(): void {
    this.#ports.write([{ at: toTimestamp(this.#ports.now()), event: 'Stopped' }]);
  }

  /** Page by page. Objects that are no longer there are written as deleted. */
  async #list(kind: RecordedKind, at: string): Promise<void> {
    const seen = new Set<string>();
    let version = '';
    try {
      for await (const page of this.#ports.hub.list(kind, { onVersion: (shown) => (version = shown) })) {
        const objects = page.filter((object) => object !== undefined);
        for (const object of objects) seen.add(recordedKey(object));
        this.#ports.write(objects.flatMap((object) => this.#changed(object, at)));
      }
    } catch (thrown) {
      const { reason, message } = asFault(thrown);
      if (requiredKinds.includes(kind.kind) || !(isNotServed(thrown) || reason === 'Forbidden')) throw thrown;
      this.#versions.delete(kind.kind);
      if (reason === 'Forbidden') this.#ports.warn(`${message}; the recording has no ${kind.plural}`);
      return;
    }
    this.#versions.set(kind.kind, version);
    const missing = [...this.#written.keys()].filter((key) => key.startsWith(`${kind.kind} `) && !seen.has(key));
    this.#ports.write(missing.flatMap((key) => this.#gone(goneOf(kind, key.slice(kind.kind.length + 1)), at)));
  }

  #changed(object: RecordedObject, at: string): readonly RecordedLine[] {
    const key = recordedKey(object);
    const before = this.#written.get(key);
    const now = this.#ports.now();
    const isCluster = object.kind === 'Cluster';
    const written = {
      whole: digest(JSON.stringify(object)),
      withoutUsage: isCluster ? digest(JSON.stringify(withoutUsage(object))) : '',
      at: now,
    };
    this.#waiting.delete(key);
    if (before?.whole === written.whole) return [];
    if (isCluster && before?.withoutUsage === written.withoutUsage && now - before.at < USAGE_EVERY) {
      this.#waiting.set(key, object);
      return [];
    }
    this.#written.set(key, written);
    return [{ at, object }];
  }

  #gone(deleted: Pick<RecordedObject, 'kind' | 'metadata'>, at: string): readonly RecordedLine[] {
    const key = recordedKey(deleted);
    this.#waiting.delete(key);
    return this.#written.delete(key) ? [{ at, deleted }] : [];
  }
}

/** `key`: keyText of the object. */
function goneOf({ kind, namespaced }: RecordedKind, key: string): Pick<RecordedObject, 'kind' | 'metadata'> {
  const slash = key.lastIndexOf('/');
  const [namespace, name] = [key.slice(0, Math.max(0, slash)), key.slice(slash + 1)];
  return { kind, metadata: { name, ...(namespaced && { namespace }) } };
}

function dayOf(at: string): string {
  return at.slice(0, 'YYYY-MM-DD'.length);
}
