/** While a hub is paused nothing of ours writes on it; resuming finds all that happened meanwhile. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue, type EventType } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent, EventDefinition } from '../../shared/bus/event.ts';
import { type Route, routes } from '../../shared/bus/routes.ts';
import { elasticGroups } from '../../shared/elastic-workload/elastic-groups.ts';
import { at, deployment } from '../builders.ts';
import { World } from '../fakes/world.ts';

const pause = { since: at(0), reason: 'a rollout of the hub' };
const PAUSED = 'hub karmada has been paused since 2026-11-21T10:00:00Z (a rollout of the hub); resume it first';
const [web, api] = [deployment('web'), deployment('api')];
const writes = ['create', 'patch', 'apply', 'delete'];

function writesOn({ hub }: World): readonly string[] {
  return hub.calls
    .filter(({ verb }) => writes.includes(verb))
    .map(({ verb, plural, name }) => `${verb} ${plural}/${name}`);
}

async function resume(world: World): Promise<void> {
  expect(await world.connections.resume('karmada')).toEqual(pause);
  await world.resync();
}

describe('a paused hub', () => {
  it('is not even read for a rebalancer that is created, edited and over its ttl, and its events are not kept', async () => {
    const world = new World();
    world.bind([web, api]);
    await world.connections.pause('karmada', pause);
    world.create('demo', [web], 60);
    world.edit('demo', { workloads: [web, api] });
    await world.resync();
    await world.pass(3600);
    expect(world.hub.calls).toEqual([]);
    expect([world.deadLetters, world.bus.depth]).toEqual([[], 0]);
    expect(new Set(world.reasons)).toEqual(new Set([PAUSED]));
  });

  it('is caught up with once it is resumed: the trigger is that of the creation, the ttl counts from the finish', async () => {
    const world = new World();
    world.bind([web, api], 60);
    await world.connections.pause('karmada', pause);
    world.create('demo', [web, api], 60);
    await world.pass(3600);
    await resume(world);
    await world.pass(30);
    expect(world.results('demo')).toEqual(['Deployment shop/api=Successful', 'Deployment shop/web=Successful']);
    expect(world.binding(web).trigger).toBe(at(0));
    await world.pass(60);
    expect(world.rebalancer('demo')).toBeUndefined();
  });

  it('is left where it is in the middle of a job, and the rest is done after it is resumed', async () => {
    const world = new World({ settings: { chunkSize: 1 } });
    const workloads = Array.from({ length: 9 }, (_, i) => deployment(`w${i}`));
    world.bind(workloads);
    world.hub.interference = { after: ({ verb }) => verb === 'patch' && world.hubs.setPause('karmada', pause) };
    world.create('demo', workloads);
    await world.pass(600);
    const begun = writesOn(world);
    // Those that were under way when it was paused: four invocations at once, a binding each.
    expect([1, 2, 3, 4]).toContain(begun.length);
    world.hub.interference = {};
    await resume(world);
    await world.pass(60);
    expect(world.results('demo')).toEqual(workloads.map(({ name }) => `Deployment shop/${name}=Successful`));
    expect(world.patches().toSorted()).toEqual(workloads.map(({ name }) => `${name}-deployment`));
  });

  it('goes on being paused when it is paused again, as it was first', async () => {
    const world = new World();
    await world.connections.pause('karmada', pause);
    expect(await world.connections.pause('karmada', { since: at(9), reason: 'another' })).toEqual(pause);
    await resume(world);
    expect(await world.connections.resume('karmada')).toBeUndefined();
  });
});

/** An event of this type about something that there may be. */
function anEvent(type: EventType): EvenkeelEvent {
  const definition = catalogue[type] as unknown as EventDefinition<Readonly<Record<string, string | number>>>;
  const fields = Object.keys((definition.schema as unknown as { def: { shape: object } }).def.shape);
  const known: Readonly<Record<string, string | number>> = { hub: 'karmada', chunk: 0, group: elasticGroups[0] };
  return definition.of(Object.fromEntries(fields.map((field) => [field, known[field] ?? 'demo'])));
}

const all: readonly Route[] = routes;
const consumed = all.flatMap((route) => route.consumes.map((type) => ({ route: route.name, type })));

describe.each(consumed)('$type on the queue $route', ({ route, type }) => {
  it('is acknowledged while the hub is paused, and touches nothing of it', async () => {
    const world = new World();
    await world.connections.pause('karmada', pause);
    const event = anEvent(type);
    const queue = [...world.bus.queues.values()].find(({ name }) => name === route);
    const source = 'external' in catalogue[type] ? 'ci' : 'evenkeel';
    const rest = { id: 'e1', time: '2026-11-21T10:00:00Z', 'detail-type': event.type };
    queue?.send(JSON.stringify({ source, ...rest, detail: event.detail }));
    await world.pass(900);
    expect(world.hub.calls).toEqual([]);
    expect([world.deadLetters, world.bus.depth]).toEqual([[], 0]);
    expect(world.reasons.length).toBeGreaterThan(0);
  });
});

describe('every function that works by itself', () => {
  const files = readdirSync('functions', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.lambda.ts'),
  );

  it('calls hubs only by connect, which a pause rejects; only inputs open a paused hub', () => {
    // A decision has no port: its `hubs` are records.
    const shells = files.filter((file) => file.endsWith('.lambda.ts'));
    const used = shells.flatMap((file) => {
      const text = readFileSync(join('functions', file), 'utf8');
      return [...text.matchAll(/\bhubs\.(\w+)\(/g)].map(([, method = '']) => ({ file, method }));
    });
    const reading = ['hasEstimator', 'uses'];
    const own = used.filter(({ file }) => !file.startsWith('console-api/')).map(({ method }) => method);
    expect(new Set(own)).toEqual(new Set(['connect', ...reading]));
    const opened = used.filter(({ method }) => method === 'open').map(({ file }) => file);
    expect(new Set(opened)).toEqual(new Set(['console-api/run-query.lambda.ts']));
  });
});
