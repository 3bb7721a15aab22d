/** The number of ready pods of a workload in all members over time, recorded from watches, so that no change between two polls is missed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import { createTransport, type Transport } from '../../../../shared/kubernetes/client/transport.ts';
import type { GracefulFleet } from './graceful-fleet.ts';
import { paths } from './manifests.ts';
import { eventually } from './observed-state.ts';

/** Beside the reports of the test runner; not committed. */
const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'reports', 'graceful-reduction');
const SAMPLE_MS = 100;

export interface Point {
  /** Since it began. */
  readonly ms: number;
  /** By member. */
  readonly ready: Readonly<Record<string, number>>;
  readonly total: number;
}

interface Pod {
  readonly metadata: { readonly uid: string; readonly deletionTimestamp?: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export class ReadyCurve {
  readonly #workload: string;
  readonly #ready: ReadonlyMap<string, Set<string>>;
  readonly #marks: { readonly ms: number; readonly what: string }[] = [];
  readonly #ending = new AbortController();
  readonly #transports: Transport[] = [];
  readonly #reading: Promise<Error | undefined>[] = [];
  #began = performance.now();
  #points: Point[] = [];

  private constructor(workload: string, members: readonly string[]) {
    this.#workload = workload;
    this.#ready = new Map(members.map((name) => [name, new Set()]));
  }

  /** Starts when that many are ready. */
  static async of(fleet: GracefulFleet, workload: string, replicas: number): Promise<ReadyCurve> {
    const members = Object.entries(fleet.kubernetes);
    const curve = new ReadyCurve(
      workload,
      members.map(([name]) => name),
    );
    for (const [name, { adminKubeconfig }] of members) await curve.#watch(name, adminKubeconfig);
    await eventually(async () => curve.#points.at(-1)?.total, replicas);
    curve.#begin();
    return curve;
  }

  get ms(): number {
    return performance.now() - this.#began;
  }

  /** Records an action at the current time. */
  mark(what: string): void {
    this.#marks.push({ ms: this.ms, what });
  }

  /** The initial point and every change, oldest first. */
  get points(): readonly Point[] {
    return this.#points;
  }

  get lowest(): number {
    return Math.min(...this.#points.map(({ total }) => total));
  }

  /** Writes a sample per 100 ms to a file, for diagrams. */
  save(name: string): void {
    const samples = Array.from({ length: Math.floor(this.ms / SAMPLE_MS) }, (_, index) => {
      const { ready, total } = this.#points.findLast(({ ms }) => ms <= index * SAMPLE_MS) ?? { total: 0, ready: {} };
      return { seconds: (index * SAMPLE_MS) / 1000, total, ...ready };
    });
    const marks = this.#marks.map(({ ms, what }) => ({ seconds: Math.round(ms / SAMPLE_MS) / 10, what }));
    mkdirSync(FOLDER, { recursive: true });
    const lines = samples.map((sample) => `    ${JSON.stringify(sample)}`).join(',\n');
    const head = `  "workload": ${JSON.stringify(this.#workload)},\n  "marks": ${JSON.stringify(marks)}`;
    writeFileSync(join(FOLDER, `${name}.json`), `{\n${head},\n  "samples": [\n${lines}\n  ]\n}\n`);
  }

  /** Throws if a watch failed, because changes may be missing. */
  async close(): Promise<void> {
    this.#ending.abort();
    const ends = await Promise.all(this.#reading);
    for (const transport of this.#transports) transport.close();
    for (const end of ends) if (end !== undefined) throw end;
  }

  #begin(): void {
    const last = this.#points.slice(-1);
    this.#began = performance.now();
    this.#points = last.map((point) => ({ ...point, ms: 0 }));
  }

  async #watch(member: string, kubeconfig: string): Promise<void> {
    const connection = await connectionFromKubeconfig(kubeconfig);
    const transport = createTransport(connection, { maxSockets: 1, timeoutMs: 10_000 });
    this.#transports.push(transport);
    // Without a resourceVersion: the existing pods come first.
    const { status, text } = await transport.stream(
      { method: 'GET', path: `${paths.pods}?watch=true&labelSelector=app%3D${this.#workload}` },
      { signal: this.#ending.signal, silentMs: 600_000 },
    );
    if (status !== 200) throw new Error(`the watch of ${member}'s pods is answered ${status}`);
    this.#reading.push(this.#read(member, text));
  }

  /** The error that ended the watch early; undefined after an abort. */
  async #read(member: string, text: AsyncIterable<string>): Promise<Error | undefined> {
    let rest = '';
    try {
      for await (const part of text) {
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#note(member, JSON.parse(line) as { type: string; object: Pod });
      }
    } catch (thrown) {
      if (this.#ending.signal.aborted) return undefined;
      return new Error(`the watch of ${member}'s pods broke`, { cause: thrown });
    }
    return new Error(`the watch of ${member}'s pods ended`);
  }

  /** A pod that is being deleted receives no more requests, even if its condition is Ready. */
  #note(member: string, { type, object: { metadata, status } }: { readonly type: string; readonly object: Pod }): void {
    const hasReadyCondition = status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;
    const isReady = type !== 'DELETED' && metadata.deletionTimestamp === undefined && hasReadyCondition;
    const ready = this.#ready.get(member);
    if (ready === undefined || ready.has(metadata.uid) === isReady) return;
    if (isReady) ready.add(metadata.uid);
    else ready.delete(metadata.uid);
    const counts = Object.fromEntries([...this.#ready].map(([name, uids]) => [name, uids.size]));
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    this.#points.push({ ms: this.ms, ready: counts, total });
  }
}
