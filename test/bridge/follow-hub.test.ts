/** The bridge's progress from version to version, on a scripted hub and bus. */
import { describe, expect, it } from 'vitest';
import type { WatchEvent } from '../../bridge/changes.ts';
import { followHub } from '../../bridge/follow-hub.ts';
import { BindingStatusChanged, WorkloadRebalancerChanged } from '../../shared/bus/catalogue.ts';
import { Fault } from '../../shared/core/fault.ts';
import { type Line, recording } from '../fakes/telemetry.ts';

function change(name: string, resourceVersion: string): WatchEvent {
  return { type: 'Changed', namespace: '', name, wish: `${name}/${resourceVersion}`, resourceVersion };
}

type Watch = readonly WatchEvent[] | Error;

interface Followed {
  /** The published events, in order. */
  readonly published: readonly string[];
  /** Each watch's first version. */
  readonly from: readonly string[];
  readonly pauses: readonly number[];
  readonly lines: readonly Line[];
}

/** Ends when the script does. `failing`: numbers of the publishes that the bus rejects, from 1. */
async function follow(
  script: readonly Watch[],
  {
    versions = ['1', '50'] as readonly (string | Error)[],
    failing = [] as readonly number[],
    statuses = false,
    chance = 1,
  } = {},
): Promise<Followed> {
  const ending = new AbortController();
  const published: string[] = [];
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
          if (failing.includes(publishes)) throw new Error('the bus is away');
          published.push(...events.map(({ type, detail }) => ('name' in detail ? String(detail.name) : type)));
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
      chance: () => chance,
    },
    ending.signal,
  );
  return { published, from, pauses, lines };
}

describe('the bridge', () => {
  it('begins with a comparison of the hub, from the version before it', async () => {
    const { published, from } = await follow([[change('a', '2')]]);
    expect(published).toEqual(['ResyncDue', 'a']);
    expect(from).toEqual(['1']);
  });

  it('goes on from where the last watch ended', async () => {
    const { published, from } = await follow([
      [change('a', '2'), change('b', '3')],
      [{ type: 'Bookmark', resourceVersion: '9' }],
      [],
    ]);
    expect(published).toEqual(['ResyncDue', 'a', 'b']);
    expect(from).toEqual(['1', '3', '9']);
  });

  it('goes on from there too when the connection breaks, after a pause that grows', async () => {
    const broken = new Error('read ECONNRESET');
    const { published, from, pauses } = await follow([[change('a', '2')], broken, broken, broken, [change('b', '3')]]);
    expect(published).toEqual(['ResyncDue', 'a', 'b']);
    expect(from).toEqual(['1', '2', '2', '2', '2']);
    expect(pauses.slice(0, 4)).toEqual([200, 200, 400, 800]);
  });

  it('compares the whole hub again where the hub no longer has the version, and watches from now', async () => {
    const { published, from } = await follow([[change('a', '2')], [{ type: 'Expired' }], [change('b', '51')]]);
    expect(published).toEqual(['ResyncDue', 'a', 'ResyncDue', 'b']);
    expect(from).toEqual(['1', '2', '50']);
  });

  it('publishes a pure status change only if a function waits for it', async () => {
    const watch = [{ ...change('a', '2') }, { ...change('a', '3'), wish: 'a/2' }, { ...change('b', '4') }];
    const again = [
      { ...change('a', '5'), wish: 'a/2' },
      { ...change('a', '6'), wish: 'a/2' },
    ];
    expect((await follow([watch, again, []], { statuses: true })).published).toEqual([
      'ResyncDue',
      'a',
      'b',
      'status of a',
    ]);
    const { published, lines } = await follow([watch, again, []]);
    expect([published, lines.map(({ code }) => code)]).toEqual([
      ['ResyncDue', 'a', 'b'],
      ['EK401', 'EK400'],
    ]);
  });

  it('publishes one event for several objects that share it', async () => {
    const scores = ['c1', 'c2', 'c3'].map((namespace, i) => ({ ...change('prices', String(i + 2)), namespace }));
    expect((await follow([scores, []])).published).toEqual(['ResyncDue', 'prices']);
  });

  it('leaves no version behind that the bus did not take', async () => {
    const twice = [change('a', '2')];
    const { published, from } = await follow([twice, twice, []], { failing: [2] });
    expect(published).toEqual(['ResyncDue', 'a']);
    expect(from).toEqual(['1', '1', '2']);
  });

  it('publishes the comparison again if the bus did not accept it', async () => {
    const { published, from } = await follow([[]], { failing: [1] });
    expect(published).toEqual(['ResyncDue']);
    expect(from).toEqual(['50']);
  });

  it('waits no longer than 5 s, however often it fails', async () => {
    const { pauses } = await follow(Array.from({ length: 30 }, () => new Error('away')));
    expect(Math.max(...pauses)).toBe(5000);
  });

  it('polls a hub that does not serve the kind once a minute, logs it once, and starts when it is served', async () => {
    const absent = new Fault('retryable', 'hub answered 404 to list rebalancepolicies', { reason: 'Http404' });
    const versions = [...Array.from({ length: 12 }, () => absent), '7'];
    const { published, from, pauses, lines } = await follow([[change('a', '8')], []], { versions });
    expect(pauses.slice(0, 12)).toEqual([
      200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000, 60_000,
    ]);
    expect(published).toEqual(['ResyncDue', 'a']);
    expect(from).toEqual(['7', '8']);
    expect(lines.map(({ code }) => code)).toEqual(['EK404', 'EK401', 'EK400']);
  });

  it('logs each interruption in one line', async () => {
    const broken = new Error('read ECONNRESET');
    const { lines } = await follow([broken, broken, [change('a', '2'), change('b', '3')], []]);
    const about = { hub: 'karmada', kind: 'workloadrebalancers' };
    const interrupted = { ...about, reason: 'Unclassified', error: 'Error: read ECONNRESET' };
    expect(lines).toEqual([
      { code: 'EK401', fields: { ...about, resourceVersion: '1' } },
      { code: 'EK402', fields: { ...interrupted, failures: 1 } },
      { code: 'EK402', fields: { ...interrupted, failures: 2 } },
      { code: 'EK400', fields: { ...about, events: 2 } },
    ]);
  });

  it.each([
    [{ type: 'Expired' } as const, 'Expired', 'the hub no longer has that version'],
    [{ type: 'Failed', message: '500 etcd' } as const, 'WatchEnded', '500 etcd'],
  ])('logs why a watch ended: %j', async (event, reason, error) => {
    const { lines } = await follow([[event], []]);
    const [, line] = lines;
    expect(line).toMatchObject({ code: 'EK402', fields: { reason, error, failures: 1 } });
  });

  it('begins its pauses anew once a change came through', async () => {
    const away = new Error('away');
    const { pauses } = await follow([away, away, away, [change('a', '2')], away, away, []]);
    expect(pauses.slice(0, 6)).toEqual([200, 400, 800, 200, 200, 400]);
  });

  it('takes a kind that is gone after it was watched for a hub that is away', async () => {
    const gone = new Fault('retryable', 'hub answered 404', { reason: 'Http404' });
    const { lines } = await follow([[change('a', '2')], gone, []]);
    expect(lines.map(({ code }) => code)).toEqual(['EK401', 'EK400', 'EK402']);
  });

  it('waits half as long where chance has it so, so that bridges do not return together', async () => {
    const { pauses } = await follow([new Error('away'), []], { chance: 0 });
    expect(pauses[0]).toBe(100);
  });
});
