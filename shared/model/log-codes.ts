/** Every line a function may log, by code. One line an outcome; docs/runbook.md says what to do about those that matter. */
export const logCodes = {
  EK000: 'handled an event',
  EK001: 'an event will be delivered again',
  EK002: 'an event went to the dead letters',
  EK100: 'a batch of audit events was taken in',
  EK101: 'a call to the hook was refused',
  EK200: 'the hub is slow, busy or away; fewer requests are in flight now',
  EK201: 'an object on the hub cannot be read and was left out of a list',
  EK300: 'the scheduler has not acted on a trigger in time',
} as const;

export type LogCode = keyof typeof logCodes;
