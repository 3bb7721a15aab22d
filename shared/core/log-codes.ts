/** All log lines of the functions, by code, one per outcome. docs/operations/runbook.md describes the actions. */
export const logCodes = {
  EK000: { level: 'info', description: 'handled an event' },
  EK001: { level: 'warn', description: 'an event will be delivered again' },
  EK002: { level: 'error', description: 'an event went to the dead letters' },
  EK003: {
    level: 'error',
    description: 'an event of a schedule could not be handled and was dropped; the next one repeats it',
  },
  EK004: {
    level: 'warn',
    description:
      'an event waits until its hub responds again, or its hub was removed and it is dropped; neither is a failed delivery',
  },
  EK005: { level: 'warn', description: 'the spans of an invocation could not be exported; its trace has a gap' },
  EK100: { level: 'info', description: 'a batch of audit events was taken in' },
  EK101: { level: 'warn', description: 'a call to the hook was rejected' },
  EK110: { level: 'info', description: 'a write on the hub was reviewed' },
  EK103: { level: 'warn', description: 'what a log of audit events sent was not taken in' },
  EK200: { level: 'warn', description: 'the hub is slow, busy or away; fewer requests are in flight now' },
  EK201: { level: 'error', description: 'an object on the hub cannot be read and was left out of a list' },
  EK202: {
    level: 'error',
    description:
      'the record of a hub cannot be used; the hub was left out of a list until evenkeel hub add writes it again',
  },
  EK203: {
    level: 'warn',
    description: 'the registry of hubs could not be read; the last record of a hub is used, for a minute at most',
  },
  EK204: {
    level: 'warn',
    description:
      'a hub has objects of a feature that it is registered without; resync does not list them until evenkeel hub set adds the feature',
  },
  EK300: { level: 'warn', description: 'the scheduler has not acted on a trigger in time' },
  EK310: {
    level: 'warn',
    description:
      'the estimator of a cluster did not answer: no replicas are removed from the cluster, and its capacity is what it reports',
  },
  EK311: {
    level: 'warn',
    description: 'a binding could not be descheduled; it is retried with its chunk, or by the next run',
  },
  EK312: {
    level: 'warn',
    description:
      'bindings of our scheduler were triggered without their assignment; an event has each of them scheduled',
  },
  EK320: { level: 'error', description: 'a run of a RebalancePolicy was stopped: a wave was not ready in time' },
  EK321: { level: 'warn', description: 'a RebalancePolicy is invalid; its condition Accepted states why' },
  EK330: { level: 'warn', description: 'a replica reduction was released because its grace was over' },
  EK331: { level: 'error', description: 'replica reductions are still held after their grace period' },
  EK340: { level: 'warn', description: 'an ElasticWorkload cannot be carried out; its condition Accepted states why' },
  EK400: { level: 'info', description: 'the bridge published changes on the bus' },
  EK401: { level: 'info', description: 'the bridge begins to watch the hub, which is compared with its tasks' },
  EK402: { level: 'warn', description: 'the bridge was interrupted, and goes on from where it was' },
  EK403: { level: 'info', description: 'the bridge became or is no longer the leader' },
  EK404: {
    level: 'info',
    description: 'the hub does not serve a kind that the bridge watches, and is asked for it every minute',
  },
  EK500: { level: 'info', description: 'an operation was executed for a user' },
  EK501: { level: 'warn', description: 'a request of a user was rejected' },
} as const;

export type LogCode = keyof typeof logCodes;
