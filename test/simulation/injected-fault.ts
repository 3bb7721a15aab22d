/** The faults of an effect of a function, as data: a history records each, so that it can be replayed and reduced. */

export const faultKinds = {
  'crash before': 'the function crashes before the effect',
  'crash after': 'the function crashes after the effect',
  unreachable: 'the hub is unreachable',
  'reply lost': 'the request succeeds, and its response is lost',
  limited: 'the hub returns 429 with Retry-After',
  'server error': 'the hub returns 500',
  'other writer': 'another client writes the object just before the request',
  'stale list': 'the hub returns an old list',
  'stale read': 'the hub returns an old version from its watch cache',
  'page expired': 'the hub returns 410 for the next page of a list',
  throttled: 'the table, bus or scheduler throttles the call',
  'partly taken': 'the bus accepts some of the events and rejects the others',
  'event lost': 'an event is never delivered',
  'event twice': 'an event is delivered again later',
  'event late': 'an event is delivered seconds to hours late',
  silent: 'an estimator does not respond',
  rubbish: 'an estimator returns an impossible value',
  exaggerated: 'an estimator returns more than the actual value',
  slow: 'the response takes seconds',
} as const;

export type FaultKind = keyof typeof faultKinds;

export interface InjectedFault {
  /** The effect: "trigger-bindings#3 PATCH …/web-deployment 2". It has the same name in every run of the same history. */
  readonly at: string;
  readonly kind: FaultKind;
}
