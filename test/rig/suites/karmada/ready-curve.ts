/** The number of ready pods of a workload in all members over time, recorded from watches, so that no change between two polls is missed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiServer } from '../../parts/api-server.ts';
import { eventually } from '../../parts/probes.ts';
import { paths } from './manifests.ts';
import { ObjectWatch, type WatchEvent } from './object-watch.ts';
import { isReadyPod, type SeenPod } from './ready-pod.ts';

/** Beside the reports of the test runner; not committed. */
const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'reports', 'graceful-reduction');
const SAMPLE_MS = 100;
const READY_WITHIN_MS = 60_000;

interface WatchedFleet {
  readonly kubernetes: Readonly<Record<string, Pick<ApiServer, 'adminKubeconfig'>>>;
}

export interface Point {
  /** Since it began. */
  readonly ms: number;
  /** By member. */
  readonly ready: Readonly<Record<string, number>>;
  readonly total: number;
}

interface LabelledPod extends SeenPod {
  readonly metadata: SeenPod['metadata'] & { readonly uid: string; readonly labels: { readonly app: string } };
}

export class ReadyCurve {
  readonly #workload: string;
  readonly #ready: ReadonlyMap<string, Set<string>>;
  readonly #marks: { readonly ms: number; readonly what: string }[] = [];
  #watches: readonly ObjectWatch[] = [];
  #began = performance.now();
  #points: Point[] = [];

  constructor(workload: string, members: readonly string[]) {
    this.#workload = workload;
    this.#ready = new Map(members.map((name) => [name, new Set()]));
  }

  /** Starts when that many are ready. */
  static async of(fleet: WatchedFleet, workload: string, replicas: number): Promise<ReadyCurve> {
    const curve = new ReadyCurve(workload, Object.keys(fleet.kubernetes));
    const watches = await watchPods(fleet, `?labelSelector=app%3D${workload}`, (member, event) =>
      curve.note(member, event),
    );
    curve.#watches = Object.values(watches);
    await eventually(async () => {
      if (curve.ready !== replicas) throw new Error(`${workload}: ${curve.ready} of ${replicas} pods are ready`);
    }, READY_WITHIN_MS);
    curve.begin();
    return curve;
  }

  /** The ready pods of all members now. */
  get ready(): number {
    return this.#points.at(-1)?.total ?? 0;
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
    const ends = await Promise.all(this.#watches.map((watch) => watch.close()));
    for (const end of ends) if (end !== undefined) throw end;
  }

  /** The curve begins now. */
  begin(): void {
    const last = this.#points.slice(-1);
    this.#began = performance.now();
    this.#points = last.map((point) => ({ ...point, ms: 0 }));
  }

  note(member: string, { type, object }: WatchEvent<LabelledPod>): void {
    const { metadata } = object;
    const isReady = type !== 'DELETED' && isReadyPod(object);
    const ready = this.#ready.get(member);
    if (ready === undefined || ready.has(metadata.uid) === isReady) return;
    if (isReady) ready.add(metadata.uid);
    else ready.delete(metadata.uid);
    const counts = Object.fromEntries([...this.#ready].map(([name, uids]) => [name, uids.size]));
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    this.#points.push({ ms: this.ms, ready: counts, total });
  }
}

/** Watches the pods of each member, all or some. */
async function watchPods(
  { kubernetes }: WatchedFleet,
  query: string,
  note: (member: string, event: WatchEvent<LabelledPod>) => void,
): Promise<Readonly<Record<string, ObjectWatch>>> {
  const watches = Object.entries(kubernetes).map(async ([member, { adminKubeconfig }]) => {
    const watch = await ObjectWatch.of<LabelledPod>(adminKubeconfig, `${paths.pods}${query}`, (event) =>
      note(member, event),
    );
    return [member, watch] as const;
  });
  return Object.fromEntries(await Promise.all(watches));
}

/** The curves of many workloads, with one watch per member. */
export class ReadyCurves {
  readonly #curves: ReadonlyMap<string, ReadyCurve>;
  readonly #watches: Readonly<Record<string, ObjectWatch>>;

  private constructor(curves: ReadonlyMap<string, ReadyCurve>, watches: Readonly<Record<string, ObjectWatch>>) {
    this.#curves = curves;
    this.#watches = watches;
  }

  /** Starts when at least that many are ready of each workload. */
  static async of(fleet: WatchedFleet, workloads: readonly string[], replicas: number): Promise<ReadyCurves> {
    const members = Object.keys(fleet.kubernetes);
    const curves = new Map(workloads.map((name) => [name, new ReadyCurve(name, members)]));
    const watches = await watchPods(fleet, '', (member, event) =>
      curves.get(event.object.metadata.labels.app)?.note(member, event),
    );
    await eventually(async () => {
      const short = [...curves].filter(([, { ready }]) => ready < replicas).map(([name]) => name);
      if (short.length > 0) throw new Error(`fewer than ${replicas} pods are ready of ${short.join(', ')}`);
    }, READY_WITHIN_MS);
    for (const curve of curves.values()) curve.begin();
    return new ReadyCurves(curves, watches);
  }

  /** The lowest number of ready pods of each workload. */
  get lowest(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#curves].map(([name, { lowest }]) => [name, lowest]));
  }

  /** Writes the curves of some workloads. */
  save(name: string, workloads: readonly string[]): void {
    for (const workload of workloads) this.#curves.get(workload)?.save(`${name}-${workload}`);
  }

  /** Throws if a watch failed, because changes may be missing; `stopped`: a member whose watch had to end. */
  async close(stopped?: string): Promise<void> {
    for (const [member, watch] of Object.entries(this.#watches)) {
      const end = await watch.close();
      if (end !== undefined && member !== stopped) throw end;
    }
  }
}
