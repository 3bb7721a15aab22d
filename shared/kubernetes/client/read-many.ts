/** Reads many objects of one namespace in as few requests as possible: pages for many objects, single reads for few. */
import { asFault, type Fault } from '../../core/fault.ts';
import type { ObjectKey } from '../object-key.ts';

/** Up to this many, single reads are cheaper than a page of 500 objects. */
const SINGLE_READS = 4;
/** Smaller pages save nothing. */
const LEAST_PAGE = 50;
/** A whole page takes the hub, the network and us as long as this many single reads. */
const READS_A_PAGE = 20;

/** A page of a list: its items, and the continue token and count of the rest. */
export interface HubPage {
  readonly items: readonly unknown[];
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continue: string;
  readonly remaining: number;
}

export interface Reads<T> {
  readonly getOne: (key: ObjectKey) => Promise<T | undefined>;
  /** `first`: the limit of the first page; later pages have `pageSize`. */
  readonly pages: (first: number) => AsyncIterable<HubPage>;
  readonly pageSize: number;
  readonly parse: (object: unknown) => T;
  /** Called for read errors. If it does not throw, the object is omitted, and the others are read. */
  readonly onFault: (fault: Fault) => void;
}

/**
 * Pages are sorted by name, so reading stops after the last wanted name, and switches to single reads when fewer
 * objects are left than the rest of the pages would cost. The first page is little larger than the number of wanted objects: a page of 500 takes the hub
 * five times as long as one of 100, which suffices if the whole namespace is wanted. Example: 500 wanted of 50,000: the first page reports 49,375 remaining, 99
 * pages, which cost as much as 1,980 single reads, so 500 of those follow. 5,000 wanted of 5,000: ten pages.
 */
export async function findAmongPages<T>(keys: readonly ObjectKey[], reads: Reads<T>): Promise<[ObjectKey, T][]> {
  const wanted = new Map(keys.map((key) => [key.name, key]));
  const found: [ObjectKey, T][] = [];
  if (wanted.size > SINGLE_READS) {
    const last = [...wanted.keys()].reduce((a, b) => (a > b ? a : b));
    const first = Math.min(reads.pageSize, Math.max(LEAST_PAGE, Math.ceil(wanted.size * 1.25)));
    const pages = reads.pages(first)[Symbol.asyncIterator]();
    for (;;) {
      const next = await readable(() => pages.next(), reads);
      // If a page can't be read, its objects are not read one by one: that would multiply the load on a failing hub.
      if (next === undefined || next.done === true) return found;
      const page = next.value;
      for (const item of page.items) {
        const key = wanted.get(nameOf(item));
        if (key === undefined) continue;
        const object = await readable(() => reads.parse(item), reads);
        if (object !== undefined) found.push([key, object]);
        wanted.delete(key.name);
      }
      if (wanted.size === 0 || nameOf(page.items.at(-1)) >= last || page.continue === '') return found;
      if (Math.ceil(page.remaining / reads.pageSize) * READS_A_PAGE > wanted.size) break;
    }
  }
  const single = await Promise.all(
    [...wanted.values()].map(async (key) => [key, await readable(() => reads.getOne(key), reads)] as const),
  );
  for (const [key, object] of single) if (object !== undefined) found.push([key, object]);
  return found;
}

async function readable<R>(
  read: () => R | Promise<R>,
  { onFault }: Pick<Reads<unknown>, 'onFault'>,
): Promise<R | undefined> {
  try {
    return await read();
  } catch (thrown) {
    onFault(asFault(thrown));
    return undefined;
  }
}

function nameOf(item: unknown): string {
  return (item as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? '';
}
