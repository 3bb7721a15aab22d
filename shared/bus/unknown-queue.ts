/** The error for an unknown queue name, with the known names. */
import { Fault } from '../core/fault.ts';

export function unknownQueue(name: string, known: readonly string[]): Fault {
  const message = `there is no queue ${JSON.stringify(name.slice(0, 80))} (there are: ${known.join(', ')})`;
  return new Fault('terminal', message, { reason: 'UnknownQueue' });
}
