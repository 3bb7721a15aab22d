import { describe, expect, it } from 'vitest';
import { batchChanges, PublishedChanges, type WatchEvent } from '../../bridge/changes.ts';

function change(name: string, wish: string, resourceVersion: string, namespace = ''): WatchEvent {
  return { type: 'Changed', namespace, name, wish, resourceVersion };
}

const key = (name: string, namespace = '') => ({ namespace, name });

describe('the changes of a watch', () => {
  it('is a hint for each name whose wish changed, once, and leaves no version out', () => {
    const events = [change('a', 'u/1/', '5'), change('b', 'u/1/', '6'), change('a', 'u/2/', '7')];
    const batch = batchChanges(events, '4', new PublishedChanges(10));
    expect(batch).toMatchObject({ keys: [key('a'), key('b')], resourceVersion: '7', ended: undefined });
    expect(batch.wishes.get('/a')).toBe('u/2/');
  });

  it('is no hint where only the status changed, which we write ourselves', () => {
    const published = new PublishedChanges(10);
    published.remember(new Map([['/a', 'u/1/']]));
    expect(batchChanges([change('a', 'u/1/', '9')], '8', published)).toMatchObject({ keys: [], resourceVersion: '9' });
  });

  it('reports a pure status change separately, once, and not beside a spec change', () => {
    const published = new PublishedChanges(10);
    published.remember(
      new Map([
        ['/a', 'u/1/'],
        ['/b', 'u/1/'],
      ]),
    );
    const events = [
      change('a', 'u/1/', '9'),
      change('a', 'u/1/', '10'),
      change('b', 'u/1/', '11'),
      change('b', 'u/2/', '12'),
    ];
    expect(batchChanges(events, '8', published)).toMatchObject({
      keys: [key('b')],
      statuses: [key('a')],
      resourceVersion: '12',
    });
  });

  it('is a hint where another object took the name', () => {
    const published = new PublishedChanges(10);
    published.remember(new Map([['/a', 'u/1/']]));
    expect(batchChanges([change('a', 'v/1/', '9')], '8', published).keys).toEqual([key('a')]);
  });

  it('is a hint for each of two objects of one name in two namespaces', () => {
    const events = [change('a', 'u/1/', '5', 'shop'), change('a', 'u/1/', '6', 'test')];
    expect(batchChanges(events, '4', new PublishedChanges(10)).keys).toEqual([key('a', 'shop'), key('a', 'test')]);
  });

  it('is only how far it has come, in a bookmark', () => {
    const batch = batchChanges([{ type: 'Bookmark', resourceVersion: '90' }], '8', new PublishedChanges(10));
    expect(batch).toMatchObject({ keys: [], resourceVersion: '90' });
  });

  it('restarts if the version is gone, and reports the earlier changes first', () => {
    const batch = batchChanges(
      [change('a', 'u/1/', '5'), { type: 'Expired' }, change('b', 'u/1/', '6')],
      '4',
      new PublishedChanges(10),
    );
    expect(batch).toMatchObject({ keys: [key('a')], resourceVersion: undefined });
  });

  it('is good up to the error that ended it', () => {
    const events: WatchEvent[] = [
      change('a', 'u/1/', '5'),
      { type: 'Failed', message: '500 no' },
      change('b', 'x', '6'),
    ];
    expect(batchChanges(events, '4', new PublishedChanges(10))).toMatchObject({
      keys: [key('a')],
      resourceVersion: '5',
      ended: '500 no',
    });
  });
});

describe('published changes', () => {
  it('is kept of a bounded number of names, and forgotten from the oldest on', () => {
    const published = new PublishedChanges(1000);
    for (let index = 0; index < 50_000; index += 1) published.remember(new Map([[`w${index}`, 'wish']]));
    expect(published.size).toBe(1000);
    expect([published.of('w48999'), published.of('w49000'), published.of('w49999')]).toEqual([
      undefined,
      'wish',
      'wish',
    ]);
  });
});
