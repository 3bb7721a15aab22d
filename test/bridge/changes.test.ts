import { describe, expect, it } from 'vitest';
import { hear, Told, type WatchEvent } from '../../bridge/changes.ts';

function change(name: string, wish: string, resourceVersion: string, namespace = ''): WatchEvent {
  return { type: 'Changed', namespace, name, wish, resourceVersion };
}

const key = (name: string, namespace = '') => ({ namespace, name });

describe('what a watch tells', () => {
  it('is a hint for each name whose wish changed, once, and leaves no version out', () => {
    const events = [change('a', 'u/1/', '5'), change('b', 'u/1/', '6'), change('a', 'u/2/', '7')];
    const heard = hear(events, '4', new Told(10));
    expect(heard).toMatchObject({ keys: [key('a'), key('b')], resourceVersion: '7', ended: undefined });
    expect(heard.wishes.get('/a')).toBe('u/2/');
  });

  it('is no hint where only the status changed, which we write ourselves', () => {
    const told = new Told(10);
    told.remember(new Map([['/a', 'u/1/']]));
    expect(hear([change('a', 'u/1/', '9')], '8', told)).toMatchObject({ keys: [], resourceVersion: '9' });
  });

  it('is told apart where only the status changed, once, and not beside a wish', () => {
    const told = new Told(10);
    told.remember(
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
    expect(hear(events, '8', told)).toMatchObject({ keys: [key('b')], statuses: [key('a')], resourceVersion: '12' });
  });

  it('is a hint where another object took the name', () => {
    const told = new Told(10);
    told.remember(new Map([['/a', 'u/1/']]));
    expect(hear([change('a', 'v/1/', '9')], '8', told).keys).toEqual([key('a')]);
  });

  it('is a hint for each of two objects of one name in two namespaces', () => {
    const events = [change('a', 'u/1/', '5', 'shop'), change('a', 'u/1/', '6', 'test')];
    expect(hear(events, '4', new Told(10)).keys).toEqual([key('a', 'shop'), key('a', 'test')]);
  });

  it('is only how far it has come, in a bookmark', () => {
    const heard = hear([{ type: 'Bookmark', resourceVersion: '90' }], '8', new Told(10));
    expect(heard).toMatchObject({ keys: [], resourceVersion: '90' });
  });

  it('is to begin anew where the version is gone, with what came before it said first', () => {
    const heard = hear([change('a', 'u/1/', '5'), { type: 'Expired' }, change('b', 'u/1/', '6')], '4', new Told(10));
    expect(heard).toMatchObject({ keys: [key('a')], resourceVersion: undefined });
  });

  it('is good up to the error that ended it', () => {
    const events: WatchEvent[] = [
      change('a', 'u/1/', '5'),
      { type: 'Failed', message: '500 no' },
      change('b', 'x', '6'),
    ];
    expect(hear(events, '4', new Told(10))).toMatchObject({ keys: [key('a')], resourceVersion: '5', ended: '500 no' });
  });
});

describe('what was told', () => {
  it('is kept of a bounded number of names, and forgotten from the oldest on', () => {
    const told = new Told(1000);
    for (let index = 0; index < 50_000; index += 1) told.remember(new Map([[`w${index}`, 'wish']]));
    expect(told.size).toBe(1000);
    expect([told.of('w48999'), told.of('w49000'), told.of('w49999')]).toEqual([undefined, 'wish', 'wish']);
  });
});
