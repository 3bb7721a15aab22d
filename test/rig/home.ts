/** The folders of the rig outside the repository: build results, and the state of running rigs. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** EVENKEEL_RIG_HOME names another folder. */
export const home =
  process.env.EVENKEEL_RIG_HOME ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'evenkeel-rig');

/** Kept between runs, and between commits with the same pins. */
export const cacheFolder = join(home, 'cache');

/** One folder per running rig, removed by down. */
export const runsFolder = join(home, 'runs');
