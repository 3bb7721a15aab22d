/** What can go wrong at an effect of a function, as data: a history names each, so that it can be played again and cut down. */

export const mishapKinds = {
  'crash before': 'the function dies, and the effect never happens',
  'crash after': 'the effect happens, and the function dies',
  unreachable: 'the hub is not reached',
  'reply lost': 'it was carried out, and no answer comes',
  limited: 'the hub says 429, with Retry-After',
  'server error': 'the hub says 500',
  'other writer': 'somebody writes the object in the moment before',
  'stale list': 'the hub answers a list as it was a while ago',
  'stale read': 'the hub answers a read that need not be live from what it has at hand',
  'page expired': 'the hub says 410 to the next page of a list',
  throttled: 'the table, bus or schedule refuses the call for now',
  'partly taken': 'the bus takes some of the events, and fails',
  'event lost': 'an event is never delivered',
  'event twice': 'an event is delivered again, a while later',
  'event late': 'an event takes its time: seconds to hours',
  silent: 'an estimator does not answer',
  rubbish: 'an estimator answers what can not be',
  exaggerated: 'an estimator answers more than there is',
  slow: 'the answer takes seconds',
} as const;

export type MishapKind = keyof typeof mishapKinds;

export interface Mishap {
  /** The effect: "trigger-bindings#3 PATCH …/web-deployment 2". Of the same name in every run of the same history. */
  readonly at: string;
  readonly kind: MishapKind;
}
