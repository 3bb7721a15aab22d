import { describe, expect, it } from 'vitest';
import { parseOptions, usage } from '../../local/options.ts';
import type { Story } from '../../local/stories/scene.ts';
import { Fault } from '../../shared/core/fault.ts';

const play = async () => undefined;
const stories: Readonly<Record<string, Story>> = {
  failback: { title: 'One', on: 'any hub', play },
  large: { title: 'Many', on: 'the practice hub', play },
};

describe('the options of a local run', () => {
  it('default to the first story on a practice hub, without an end', () => {
    expect(parseOptions([], stories)).toMatchObject({ once: false, story: 'failback', port: 7443, data: undefined });
  });

  it('contain no story for the hub of the user', () => {
    expect(parseOptions(['--kubeconfig', 'kc'], stories)).toMatchObject({ story: 'none', kubeconfig: 'kc' });
  });

  it.each(['0', '65533'])('accept port %s', (port) => {
    expect(parseOptions(['--port', port], stories).port).toBe(Number(port));
  });

  it.each([
    [['--port', 'x'], '--port x: a whole number from 0 (any free port) to 65533 is needed'],
    // The run uses this port and the two after it.
    [['--port', '65534'], '--port 65534: a whole number'],
    [['--port=-1'], '--port -1: a whole number'],
    [['--story', 'nope'], '--story nope: Unsupported value; supported values: failback, large, none'],
    [['--story', 'constructor'], '--story constructor: Unsupported value'],
    [['--story', 'large', '--kubeconfig', 'kc'], '--story large needs the practice hub; leave --kubeconfig or'],
    [['--bogus'], "Unknown option '--bogus'"],
    [['--traces-to', 'localhost:4318'], '--traces-to localhost:4318: the URL of an OTLP/HTTP collector is needed'],
    [['--estimator', 'pods'], '--estimator is for a hub of yours; add --kubeconfig'],
  ])('reject %j with what to do instead', (argv, message) => {
    const parse = () => parseOptions(argv, stories);
    expect(parse).toThrow(Fault);
    expect(parse).toThrow(message);
  });
});

describe('the help of a local run', () => {
  it('lists each option, and no unknown option', () => {
    const named = [...new Set([...usage.matchAll(/--[a-z][a-z-]*/g)].map(([name]) => name))];
    const errors = named.map((name) => {
      try {
        return parseOptions([`${name}=x`], stories).story;
      } catch (thrown) {
        return String(thrown);
      }
    });
    expect(named).toHaveLength(13);
    expect(errors.filter((error) => error.includes('Unknown option'))).toEqual([]);
  });
});
