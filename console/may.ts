/** What may be done from here: a page that may only look shows no buttons that order. */
import { signal } from '@preact/signals';

export const may = signal<{ readonly order: boolean; readonly practice: boolean }>({ order: false, practice: false });
