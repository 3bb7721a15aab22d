/** The story that npm start plays on the practice hub, on real Karmada. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../command.ts';
import { hookOptions, MAIN } from '../../parts/evenkeel.ts';
import { clear } from './acts.ts';
import { type Fleet, runEvenkeel, startFleet } from './fleet.ts';

describe('npm start with the kubeconfig of a hub', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  beforeEach(async () => {
    await clear(fleet);
    await fleet.rig.processes.stop('evenkeel');
  });
  afterEach(() => runEvenkeel(fleet));
  afterAll(() => fleet.close());

  it('plays the failback story, and every step succeeds', async () => {
    // As the administrator, who may taint a cluster; the functions' account may not.
    const asAdministrator = ['--kubeconfig', fleet.hub.adminKubeconfig];
    const args = [MAIN, ...asAdministrator, ...hookOptions(fleet.hub), '--story', 'failback', '--once'];
    const printed = await run(process.execPath, args, { env: { NO_COLOR: '1' } });
    // Two members with 160 places each: halves, then all on the one that is left, then halves again.
    expect(printed.match(/now: .*/g)).toEqual([
      'now: member1 6, member2 6 (12 of 12 ready)',
      'now: member1 0, member2 12 (12 of 12 ready)',
      'now: member1 0, member2 12 (12 of 12 ready)',
      'now: member1 6, member2 6 (12 of 12 ready)',
      'now: member1 6, member2 6 (12 of 12 ready)',
    ]);
    expect(printed).toContain('Every step succeeded.');
  });
});
