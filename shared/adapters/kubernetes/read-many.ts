/** Reads many objects of one namespace in as few requests as it can: by pages where many are wanted, one by one where few are. */
import type { ObjectKey } from '../../model/object-key.ts';

/** Up to this many, single reads are cheaper than a page of 500 objects. */
const SINGLE_READS = 4;
/** Fewer on a page save nothing. */
const LEAST_PAGE = 50;

/** A page of a list: what is on it, and what is said of the rest. */
export interface HubPage {
  readonly items: readonly unknown[];
  /** Empty on the last page. */
  readonly continue: string;
  readonly remaining: number;
}

export interface Reads<T> {
  readonly getOne: (key: ObjectKey) => Promise<T | undefined>;
  /** `first`: how many objects the first page has at most; those behind it have `pageSize`. */
  readonly pages: (first: number) => AsyncIterable<HubPage>;
  readonly pageSize: number;
  readonly parse: (object: unknown) => T;
}

/**
 * Pages come in the order of names, so reading stops behind the last wanted name; and it turns to single reads when fewer
 * objects are still wanted than pages are left. The first page has little more than what is wanted: a page of 500 takes the hub
 * five times as long as one of 100, which is enough where a whole namespace is wanted. Example: 10 wanted of 50,000: the first page says that 49,500 remain, 99
 * pages, so ten single reads follow. 5,000 wanted of 5,000: ten pages.
 */
export async function findAmongPages<T>(keys: readonly ObjectKey[], reads: Reads<T>): Promise<[ObjectKey, T][]> {
  const wanted = new Map(keys.map((key) => [key.name, key]));
  const found: [ObjectKey, T][] = [];
  if (wanted.size > SINGLE_READS) {
    const last = [...wanted.keys()].reduce((a, b) => (a > b ? a : b));
    const first = Math.min(reads.pageSize, Math.max(LEAST_PAGE, Math.ceil(wanted.size * 1.25)));
    for await (const page of reads.pages(first)) {
      for (const item of page.items) {
        const key = wanted.get(nameOf(item));
        if (key === undefined) continue;
        found.push([key, reads.parse(item)]);
        wanted.delete(key.name);
      }
      if (wanted.size === 0 || nameOf(page.items.at(-1)) >= last || page.continue === '') return found;
      if (Math.ceil(page.remaining / reads.pageSize) > wanted.size) break;
    }
  }
  const single = await Promise.all([...wanted.values()].map(async (key) => [key, await reads.getOne(key)] as const));
  for (const [key, object] of single) if (object !== undefined) found.push([key, object]);
  return found;
}

function nameOf(item: unknown): string {
  return (item as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? '';
}
