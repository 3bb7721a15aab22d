/** The pause of a local run's hub; stored in the data folder, so that it survives a restart. */
import { existsSync, readFileSync } from 'node:fs';
import type { Pause } from '../shared/kubernetes/hub-pause.ts';
import { writeWhole } from './whole-file.ts';

export class PauseFile {
  readonly #file: string | undefined;
  #pause: Pause | undefined;

  /** In memory without a file. */
  constructor(file?: string) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    this.#pause = (JSON.parse(readFileSync(file, 'utf8')) as { readonly paused?: Pause }).paused;
  }

  get pause(): Pause | undefined {
    return this.#pause;
  }

  set pause(paused: Pause | undefined) {
    if (this.#file !== undefined) writeWhole(this.#file, JSON.stringify({ paused }));
    this.#pause = paused;
  }
}
