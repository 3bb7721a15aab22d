/** The members of the descheduling benchmark: which one is full, and the timeout of its estimator. */

/** The cluster whose replicas are not ready, and that has no capacity. */
export const FULL = 'member1';

/** Long enough for every request on a busy machine: a sweep with a timeout would do less work. */
export const TIMEOUT_SECONDS = 30;
