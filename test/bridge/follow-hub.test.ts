/** The bridge's way from version to version, on a hub and a bus that do as the test says. */
import { describe, expect, it } from 'vitest';
import type { WatchEvent } from '../../bridge/changes.ts';
import { followHub } from '../../bridge/follow-hub.ts';
import { BindingStatusChanged } from '../../shared/events/catalogue/binding-status-changed.ts';
import { WorkloadRebalancerChanged } from '../../shared/events/catalogue/workload-rebalancer-changed.ts';
import { Fault } from '../../shared/model/fault.ts';
import { type Line, recording } from '../fakes/telemetry.ts';

function change(name: string, resourceVersion: string): WatchEvent {
  return { type: 'Changed', namespace: '', name, wish: `${name}/${resourceVersion}`, resourceVersion };
}

type Watch = readonly WatchEvent[] | Error;

interface Followed {
  /** What was said on the bus, in order. */
  readonly said: readonly string[];
  /** Each watch's first version. */
  readonly from: readonly string[];
  readonly pauses: readonly number[];
  readonly lines: readonly Line[];
}

/** Ends when the script does. `refuse` has the bus refuse the publishes of these numbers, from 1. */
async function follow(
  script: readonly Watch[],
  { versions = ['1', '50'] as readonly (string | Error)[], refuse = [] as readonly number[], statuses = false } = {},
): Promise<Followed> {
  const ending = new AbortController();
  const said: string[] = [];
  const from: string[] = [];
  const pauses: number[] = [];
  const lines: Line[] = [];
  const [watches, known] = [[...script], [...versions]];
  let publishes = 0;
  await followHub(
    {
      hub: 'karmada',
      kind: 'workloadrebalancers',
      source: {
        version: async () => {
          const version = known.shift() ?? new Error('the hub is away');
          if (typeof version === 'string') return version;
          throw version;
        },
        async *watch(version) {
          from.push(version);
          const events = watches.shift();
          if (watches.length === 0) ending.abort();
          if (events instanceof Error) throw events;
          if (events) yield events;
        },
      },
      bus: {
        publish: async (events) => {
          publishes += 1;
          if (refuse.includes(publishes)) throw new Error('the bus is away');
          said.push(...events.map(({ type, detail }) => ('name' in detail ? String(detail.name) : type)));
        },
      },
      telemetry: recording(lines),
      eventOf: ({ name }) => WorkloadRebalancerChanged.of({ hub: 'karmada', name }),
      ...(statuses && {
        statusEventOf: ({ namespace, name }) =>
          BindingStatusChanged.of({ hub: 'karmada', namespace, name: `status of ${name}` }),
      }),
      wait: async (ms) => {
        pauses.push(ms);
      },
      chance: () => 1,
    },
    ending.signal,
  );
  return { said, from, pauses, lines };
}

describe('the bridge', () => {
  it('begins with a comparison of the hub, from the version before it', async () => {
    const { said, from } = await follow([[change('a', '2')]]);
    expect(said).toEqual(['ResyncDue', 'a']);
    expect(from).toEqual(['1']);
  });

  it('goes on from where the last watch ended', async () => {
    const { said, from } = await follow([
      [change('a', '2'), change('b', '3')],
      [{ type: 'Bookmark', resourceVersion: '9' }],
      [],
    ]);
    expect(said).toEqual(['ResyncDue', 'a', 'b']);
    expect(from).toEqual(['1', '3', '9']);
  });

  it('goes on from there too when the connection breaks, after a pause that grows', async () => {
    const broken = new Error('read ECONNRESET');
    const { said, from, pauses } = await follow([[change('a', '2')], broken, broken, broken, [change('b', '3')]]);
    expect(said).toEqual(['ResyncDue', 'a', 'b']);
    expect(from).toEqual(['1', '2', '2', '2', '2']);
    expect(pauses.slice(0, 4)).toEqual([200, 200, 400, 800]);
  });

  it('compares the whole hub again where the hub no longer has the version, and watches from now', async () => {
    const { said, from } = await follow([[change('a', '2')], [{ type: 'Expired' }], [change('b', '51')]]);
    expect(said).toEqual(['ResyncDue', 'a', 'ResyncDue', 'b']);
    expect(from).toEqual(['1', '2', '50']);
  });

  it('says where only the status changed, where somebody waits for that, and nothing where nobody does', async () => {
    const watch = [{ ...change('a', '2') }, { ...change('a', '3'), wish: 'a/2' }, { ...change('b', '4') }];
    const again = [
      { ...change('a', '5'), wish: 'a/2' },
      { ...change('a', '6'), wish: 'a/2' },
    ];
    expect((await follow([watch, again, []], { statuses: true })).said).toEqual(['ResyncDue', 'a', 'b', 'status of a']);
    const { said, lines } = await follow([watch, again, []]);
    expect([said, lines.map(({ code }) => code)]).toEqual([
      ['ResyncDue', 'a', 'b'],
      ['EK401', 'EK400'],
    ]);
  });

  it('leaves no version behind that the bus did not take', async () => {
    const twice = [change('a', '2')];
    const { said, from } = await follow([twice, twice, []], { refuse: [2] });
    expect(said).toEqual(['ResyncDue', 'a']);
    expect(from).toEqual(['1', '1', '2']);
  });

  it('says the comparison again where the bus did not take that', async () => {
    const { said, from } = await follow([[]], { refuse: [1] });
    expect(said).toEqual(['ResyncDue']);
    expect(from).toEqual(['50']);
  });

  it('waits no longer than 5 s, however often it fails', async () => {
    const { pauses } = await follow(Array.from({ length: 30 }, () => new Error('away')));
    expect(Math.max(...pauses)).toBe(5000);
  });

  it('asks a hub that does not serve the kind for it once a minute, tells it once, and begins when it is served', async () => {
    const absent = new Fault('retryable', 'hub answered 404 to list rebalancepolicies', { reason: 'Http404' });
    const versions = [...Array.from({ length: 12 }, () => absent), '7'];
    const { said, from, pauses, lines } = await follow([[change('a', '8')], []], { versions });
    expect(pauses.slice(0, 12)).toEqual([
      200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000, 60_000,
    ]);
    expect(said).toEqual(['ResyncDue', 'a']);
    expect(from).toEqual(['7', '8']);
    expect(lines.map(({ code }) => code)).toEqual(['EK404', 'EK401', 'EK400']);
  });

  it('tells each interruption in one line', async () => {
    const { lines } = await follow([new Error('read ECONNRESET'), []]);
    expect(lines.map(({ code }) => code)).toEqual(['EK401', 'EK402']);
  });
});
