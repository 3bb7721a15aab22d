/** The permissions of this page: a read-only page shows no buttons for orders. */
import { signal } from '@preact/signals';

export const may = signal<{ readonly order: boolean; readonly practice: boolean }>({ order: false, practice: false });
