import { describe, expect, it } from 'vitest';
import { hubOf, reach } from '../../../cli/operator/reach.ts';
import type { Ask } from '../../../shared/console-api/operations.ts';

const deployment = 'evenkeel';
const ofHubs = (...names: readonly string[]) =>
  (async () => ({ hubs: names.map((name) => ({ name })) })) as unknown as Ask;

describe('the API that a command calls', () => {
  it.each(['ftp://127.0.0.1', 'http://evenkeel.example', '127.0.0.1:7445', 'not a url'])('cannot be %s', (api) => {
    expect(() => reach({ api, deployment })).toThrow(
      `--api ${JSON.stringify(api)} is neither an https URL nor http on loopback; use the URL that a local run or evenkeel console prints`,
    );
  });

  it('is named in the error if it does not respond', async () => {
    const ask = reach({ api: 'http://127.0.0.1:1', deployment });
    await expect(ask('listHubs', {})).rejects.toThrow(
      'no response from http://127.0.0.1:1; check that the local run is up (evenkeel start)',
    );
  });

  it('is called for the given hub, or for the only one', async () => {
    expect(await hubOf(ofHubs('a', 'b'), { deployment, hub: 'b' })).toBe('b');
    expect(await hubOf(ofHubs('a'), { deployment })).toBe('a');
    await expect(hubOf(ofHubs('a', 'b'), { deployment })).rejects.toThrow(
      '--hub: Required value (the deployment has: a, b)',
    );
    await expect(hubOf(ofHubs(), { deployment })).rejects.toThrow('(the deployment has: none)');
  });

  it('names ten hubs of a thousand in the error, which stays one line', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `hub-${i}`);
    await expect(hubOf(ofHubs(...names), { deployment })).rejects.toThrow('hub-8, hub-9, 990 more)');
  });
});

it('redacts user and query in the error for an invalid --api URL', () => {
  expect(() => reach({ api: 'http://me:secret@example.com/?token=secret', deployment: 'evenkeel' })).toThrow(
    '--api "http://…@example.com/" is neither',
  );
});
