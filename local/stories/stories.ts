/** The stories by name. */
import { autopilot } from './autopilot.ts';
import { descheduler } from './descheduler.ts';
import { elastic } from './elastic.ts';
import { failback } from './failback.ts';
import { graceful } from './graceful.ts';
import { large } from './large.ts';
import { price } from './price.ts';
import type { Story } from './scene.ts';
import { spot } from './spot.ts';

export const stories: Readonly<Record<string, Story>> = {
  failback,
  large,
  descheduler,
  autopilot,
  graceful,
  elastic,
  spot,
  price,
};
