import { swaps } from './swaps.ts';

swaps('rollback');
