import { describe, expect, it } from 'vitest';
import { deployment } from '../../builders.ts';
import { World } from '../../fakes/world.ts';

const [a, b] = [deployment('a'), deployment('b')];

describe('a scheduler that does not act', () => {
  it('shows up in the task and in a metric, and the task is confirmed when it acts in the end', async () => {
    const w = new World({ scheduler: false });
    w.bind([a, b]);
    w.create('demo', [a, b]);
    await w.pass(20);
    w.scheduleNow(a);
    await w.pass(400);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({
      state: 'Overdue',
      confirmed: 1,
      waitingFor: ['Deployment shop/b'],
    });
    expect(w.telemetry.counts.get('ReschedulingOverdue')).toBe(1);
    w.scheduleNow(b);
    await w.pass(200);
    await w.resync();
    await w.pass(30);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Confirmed', confirmed: 2 });
  });

  it('is not taken to have acted on a binding that is gone', async () => {
    const w = new World({ scheduler: false });
    w.bind([a, b]);
    w.create('demo', [a, b]);
    await w.pass(5);
    w.store.delete('resourcebindings', { namespace: 'shop', name: 'b-deployment' }, { username: 'a', manager: 'a' });
    w.scheduleNow(a);
    await w.pass(30);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Confirmed', confirmed: 1, gone: 1 });
  });

  it('is distinguished from one that acts', async () => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(30);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Confirmed', confirmed: 1 });
    expect(w.telemetry.counts.get('ReschedulingOverdue')).toBeUndefined();
  });
});
