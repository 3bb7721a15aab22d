import { swaps } from './swaps.ts';

swaps('upgrade');
