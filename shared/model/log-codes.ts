/** Every line a function may log, by code. One line an outcome; docs/runbook.md says what to do about those that matter. */
export const logCodes = {
  EK000: { level: 'info', says: 'handled an event' },
  EK001: { level: 'warn', says: 'an event will be delivered again' },
  EK002: { level: 'error', says: 'an event went to the dead letters' },
  EK100: { level: 'info', says: 'a batch of audit events was taken in' },
  EK101: { level: 'warn', says: 'a call to the hook was refused' },
  EK110: { level: 'info', says: 'a write on the hub was reviewed' },
  EK103: { level: 'warn', says: 'what a log of audit events sent was not taken in' },
  EK200: { level: 'warn', says: 'the hub is slow, busy or away; fewer requests are in flight now' },
  EK201: { level: 'error', says: 'an object on the hub cannot be read and was left out of a list' },
  EK300: { level: 'warn', says: 'the scheduler has not acted on a trigger in time' },
  EK310: {
    level: 'warn',
    says: 'the estimator of a cluster did not answer: nothing is taken out of the cluster, and its room is what it reports',
  },
  EK311: {
    level: 'warn',
    says: 'a binding could not be descheduled; it is tried again with its chunk, or looked at by the next run',
  },
  EK320: { level: 'error', says: 'a run of a RebalancePolicy was stopped: a wave was not ready in time' },
  EK321: { level: 'warn', says: 'a RebalancePolicy says what cannot be done; its condition Accepted says why' },
  EK330: { level: 'warn', says: 'a replica reduction was released because its grace was over' },
  EK340: { level: 'warn', says: 'an ElasticWorkload cannot be carried out; its condition Accepted says why' },
  EK400: { level: 'info', says: 'the bridge said changes on the bus' },
  EK401: { level: 'info', says: 'the bridge begins to watch the hub, which is compared with its tasks' },
  EK402: { level: 'warn', says: 'the bridge was interrupted, and goes on from where it was' },
  EK403: { level: 'info', says: 'the bridge leads, or leads no longer' },
  EK404: {
    level: 'info',
    says: 'the hub does not serve a kind that the bridge watches, and is asked for it every minute',
  },
  EK500: { level: 'info', says: 'a person ordered something, and it was done' },
  EK501: { level: 'warn', says: 'what a person asked or ordered was refused' },
} as const;

export type LogCode = keyof typeof logCodes;
