import { describe, expect, it } from 'vitest';
import { createAssumedRoom } from '../../../../shared/model/assignment/assumed-room.ts';

describe('room that is promised', () => {
  it('adds up by cluster and resource, in thousandths of a core and whole units, with a pod for each replica', () => {
    const room = createAssumedRoom();
    room.add('m1', 2, { cpu: '250m', memory: '1Gi', pods: '9' });
    room.add('m1', 1, { cpu: '1' });
    room.add('m2', 3, undefined);
    expect(room.promised()).toEqual({ m1: { pods: 3, cpu: 1500, memory: 2 * 1024 ** 3 }, m2: { pods: 3 } });
    expect([...room.on('m2')]).toEqual([['pods', 3]]);
  });

  it.each([0, -1])('is none for %i replicas', (replicas) => {
    const room = createAssumedRoom();
    room.add('m1', replicas, { cpu: '1' });
    expect(room.promised()).toEqual({});
  });

  it('is none on a cluster that nothing was promised on, and none once it is reported', () => {
    const room = createAssumedRoom({ m1: { pods: 2 } });
    expect([...room.on('m9')]).toEqual([]);
    room.clear();
    expect(room.promised()).toEqual({});
  });

  it('goes on from what was promised elsewhere, and leaves that as it is', () => {
    const before = { m1: { pods: 2, cpu: 500 } };
    const room = createAssumedRoom(before);
    room.add('m1', 1, { cpu: '500m' });
    expect(room.promised()).toEqual({ m1: { pods: 3, cpu: 1000 } });
    expect(before).toEqual({ m1: { pods: 2, cpu: 500 } });
  });
});
