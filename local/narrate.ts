/** Prints the functions' decisions as they are made: beside a story, and while a user works with the run. */
import type { LogCode } from '../shared/core/log-codes.ts';
import type { LogFields } from '../shared/core/telemetry.ts';
import type { LocalStack } from './stack.ts';

export interface Narration {
  readonly stack: LocalStack;
  readonly print: (line: string) => void;
  /** Only lines about the rebalancer of this name; all if absent. */
  readonly about?: string;
}

/** `subject`: the name of the object with a space before it, unless the narration is about it. Undefined: not worth a line. */
type NarratedLine = (fields: LogFields, subject: string) => string | undefined;

/** Log codes of a control plane, of the registry and of the bridge do not occur in a local run. */
const elsewhere: NarratedLine = () => undefined;

const lines: Readonly<Record<LogCode, NarratedLine>> = {
  // Without policies, a changed cluster is not worth a line; nor is a check without held replicas.
  EK000: ({ policies, found, event, reason }, subject) =>
    policies === 0 || found === 0 ? undefined : `${event}${subject}: ${reason}`,
  EK001: ({ event, error }, subject) => `${event}${subject} will be retried: ${error}`,
  EK002: ({ event, error }, subject) => `${event}${subject} became a dead letter: ${error}`,
  EK003: ({ event, error }, subject) => `${event}${subject} expired, its schedule sends the next one: ${error}`,
  EK004: ({ event, error }, subject) => `${event}${subject} waits or is dropped: ${error}`,
  EK005: ({ spans, error }) => `${spans} spans were not exported: ${error}`,
  EK100: ({ admitted }) => (admitted === 0 ? undefined : 'cluster-hook: accepted an audit event'),
  EK101: ({ error, reason }) => `cluster-hook rejected a call: ${error ?? reason}`,
  EK103: elsewhere,
  EK110: ({ reason }, subject) =>
    `cluster-hook reviewed a write of${subject || ' a rebalancer'}: ${reason ?? 'allowed'}`,
  EK200: ({ inFlight }) => `the hub is busy: limited to ${inFlight} concurrent requests`,
  EK201: ({ error }) => `left out of a list: ${error}`,
  EK202: elsewhere,
  EK203: elsewhere,
  EK204: elsewhere,
  EK300: ({ waiting, first }, subject) =>
    `${waiting} bindings of${subject} wait for the scheduler, the first is ${first}`,
  EK310: ({ cluster, error }) => `the estimator of ${cluster} did not answer: ${error}`,
  EK311: ({ binding, error }) => `${binding} could not be descheduled: ${error}`,
  EK312: ({ error }) => `triggers are written without their assignment: ${error}`,
  EK320: ({ policy, error }) => `the run of policy ${policy} was stopped: ${error}`,
  EK321: ({ policy, error }) => `policy ${policy} cannot be run: ${error}`,
  EK330: ({ binding, cluster, reason }) => `held replicas of ${binding} on ${cluster} are released: ${reason}`,
  EK331: ({ overdue, since }) =>
    `${overdue} replica reductions are held after their grace period, the first since ${since}`,
  EK340: ({ elasticWorkload, error }) => `ElasticWorkload ${elasticWorkload} cannot be reconciled: ${error}`,
  EK400: elsewhere,
  EK401: elsewhere,
  EK402: elsewhere,
  EK403: elsewhere,
  EK404: elsewhere,
  EK500: ({ operation, hub }) => `a user's command: ${operation}${hub === undefined ? '' : ` on ${hub}`}`,
  EK501: ({ operation, error }) => `rejected ${operation}: ${error}`,
};

/** Returns the function that stops it. */
export function narrate({ stack, print, about }: Narration): () => void {
  return stack.telemetry.listen((code, fields) => {
    const name = typeof fields.name === 'string' ? fields.name : '';
    if (code === 'EK000' && about !== undefined && name !== about) return;
    const line = lines[code](fields, about === undefined && name !== '' ? ` ${name}` : '');
    if (line !== undefined) print(`    ${line}`);
  });
}
