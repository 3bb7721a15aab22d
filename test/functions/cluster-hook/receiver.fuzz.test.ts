import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { watchedKinds } from '../../../shared/bus/watched-kinds.ts';
import { cases } from '../../depth.ts';
import { heldMemory } from '../../fakes/held-memory.ts';
import { auditEventOf, type HookCall, hookScene } from '../../fakes/hook-scene.ts';

const seed = 20_261_121;
const bearer = 'the-token-of-karmada';

const objectName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const publishedTypes: readonly string[] = [...watchedKinds.map(({ publishes }) => publishes), 'ResyncDue'];

/** Texts that have broken receivers before, beside whatever fast-check thinks of. */
const nasty = fc.constantFrom(
  '',
  '..',
  '../..',
  '/',
  '\0',
  'a\0',
  '__proto__',
  'constructor',
  '\ud800',
  '\ufeff',
  'ÿ',
  '%00',
  '\u202e',
);
const text = fc.oneof({ weight: 3, arbitrary: nasty }, fc.string({ maxLength: 12 }));
const junk = fc.oneof(text, fc.constantFrom(null, true, 0, -1, 1e308, [], {}, [[]], [null]));
const name = fc.oneof(fc.constantFrom('demo', 'a-b.c', 'x'.repeat(253), 'x'.repeat(254), 'UPPER'), junk);
const mostly = <T>(right: T) => fc.oneof({ weight: 6, arbitrary: fc.constant<unknown>(right) }, junk);

const item = fc.record(
  {
    auditID: junk,
    stage: mostly('ResponseComplete'),
    verb: fc.oneof(fc.constantFrom<unknown>('create', 'patch', 'delete', 'get'), junk),
    user: mostly({ username: 'admin' }),
    objectRef: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ apiGroup: mostly('apps.karmada.io'), resource: mostly('workloadrebalancers'), name }),
      },
      junk,
    ),
    responseStatus: mostly({ code: 201 }),
    requestReceivedTimestamp: junk,
    ['__proto__']: junk,
  },
  { requiredKeys: ['stage', 'verb', 'objectRef', 'responseStatus'] },
);

const list = fc.record({
  kind: mostly('EventList'),
  apiVersion: mostly('audit.k8s.io/v1'),
  items: fc.oneof(
    { weight: 8, arbitrary: fc.array(fc.oneof({ weight: 6, arbitrary: item }, junk), { maxLength: 4 }) },
    junk,
  ),
});

const valid = Buffer.from(
  JSON.stringify({
    kind: 'EventList',
    apiVersion: 'audit.k8s.io/v1',
    items: [auditEventOf('demo'), auditEventOf('other', { verb: 'delete' })],
  }),
);

/** A real batch with a piece of it overwritten, truncated or duplicated. */
const damaged = fc
  .record({ at: fc.nat(valid.length), bytes: fc.uint8Array({ maxLength: 6 }), cut: fc.boolean(), twice: fc.boolean() })
  .map(({ at, bytes, cut, twice }) => {
    const body = Buffer.concat([
      valid.subarray(0, at),
      bytes,
      cut ? Buffer.alloc(0) : valid.subarray(at + bytes.length),
    ]);
    return twice ? Buffer.concat([body, body]) : body;
  });

const packing = fc.constantFrom<Record<string, string>>(
  {},
  {},
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br' },
);

async function hold(
  numRuns: number,
  calls: fc.Arbitrary<Partial<HookCall> & Pick<HookCall, 'body'>>,
): Promise<Map<number, number>> {
  const published: { type: string; detail: Readonly<Record<string, string | number>> }[] = [];
  const bus = { publish: async (events: typeof published) => void published.push(...events) };
  const s = hookScene({ hubs: { karmada: { hookTokens: [bearer] } }, bus, quiet: true });
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(calls, async (call) => {
      s.clock.now += 1000;
      published.length = 0;
      const { status = 0, answer } = await s.post({ bearer, ...call });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (![200, 400, 413, 415].includes(status)) throw new Error(`answered ${status}: ${JSON.stringify(answer)}`);
      if (status !== 200 && published.length > 0) throw new Error('rejected the batch, but published events');
      for (const { type, detail } of published) {
        const named =
          type === 'ResyncDue' || (objectName.test(String(detail.name)) && String(detail.name).length <= 253);
        if (!publishedTypes.includes(type) || detail.hub !== 'karmada' || !named)
          throw new Error(JSON.stringify({ type, detail }));
      }
    }),
    { numRuns, seed, endOnFailure: true },
  );
  return statuses;
}

/** In thousands. */
const BODIES = cases({ few: 2, all: 100 });

describe(`${BODIES * 1000} bodies`, () => {
  it('crash nothing, cause no 5xx, publish only valid events, and leak no memory', async () => {
    const json = list.map((given) => ({ body: JSON.stringify(given) }));
    const packed = fc
      .tuple(list, packing)
      .map(([given, headers]) => ({ body: gzipSync(JSON.stringify(given), { level: 1 }), headers }));
    const bytes = fc
      .tuple(fc.uint8Array({ maxLength: 60 }), packing)
      .map(([given, headers]) => ({ body: Buffer.from(given), headers }));
    const texts = fc.oneof(fc.string(), fc.json({ maxDepth: 3 })).map((body) => ({ body }));
    const broken = damaged.map((body) => ({ body }));

    await hold(900, json);
    await hold(100, packed);
    const before = await heldMemory();
    const structured = await hold(290 * BODIES, json);
    const raw = [
      await hold(100 * BODIES, packed),
      await hold(250 * BODIES, bytes),
      await hold(100 * BODIES, texts),
      await hold(250 * BODIES, broken),
    ];
    const grown = (await heldMemory()) - before;
    const taken = (statuses: Map<number, number> | undefined) => (statuses?.get(200) ?? 0) > 0;
    // The series must have reached both ways out, or it has shown nothing.
    expect([taken(structured), taken(raw[0]), taken(raw[3])]).toEqual([true, true, true]);
    expect([structured, ...raw].every((statuses) => (statuses.get(400) ?? 0) > 0)).toBe(true);
    // 300 bytes a body: whatever held on to one would hold more.
    expect(grown).toBeLessThan(32);
  });
});
