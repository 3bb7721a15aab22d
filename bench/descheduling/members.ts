/** What the deschedulers are told of members: which of them is full, and how long its estimator may take. */

/** The cluster in which replicas are not ready, and that has room for none. */
export const FULL = 'member1';

/** On a busy machine too, every question is to be answered: a sweep that gives one up has done less. */
export const PATIENCE_SECONDS = 30;
