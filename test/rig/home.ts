/** Where the rig keeps things, outside the tree: what was built, and the folders of what runs. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** EVENKEEL_RIG_HOME names another folder. */
export const home =
  process.env.EVENKEEL_RIG_HOME ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'evenkeel-rig');

/** Kept from run to run, and from commit to commit while the pins stay. */
export const cacheFolder = join(home, 'cache');

/** One folder a rig that is up; gone when it is down. */
export const runsFolder = join(home, 'runs');
