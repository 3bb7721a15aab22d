/**
 * The format of the rows of each store. Every row that is put has it as its attribute `format`; a row without one is of format 1. A change of rows that the
 * code of the release before would misread increases it, and its reader keeps reading the format before.
 */
export const rowFormats = {
  tasks: 1,
  descheduling: 1,
  policies: 1,
  elastic: 1,
  positions: 1,
  assignments: 1,
  ledger: 1,
  externalEvents: 1,
  history: 1,
  circuits: 1,
  budgets: 1,
  registry: 1,
} as const;
