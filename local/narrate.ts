/** Prints the functions' decisions as they are made: beside a story, and while a user works with the run. */
import type { LocalStack } from './stack.ts';

export interface Narration {
  readonly stack: LocalStack;
  readonly print: (line: string) => void;
  /** Only lines about the rebalancer of this name; all if absent. */
  readonly about?: string;
}

/** Returns the function that stops it. */
export function narrate({ stack, print, about }: Narration): () => void {
  return stack.telemetry.listen((code, fields) => {
    const name = typeof fields.name === 'string' ? fields.name : '';
    const subject = about === undefined && name !== '' ? ` ${name}` : '';
    switch (code) {
      case 'EK100':
        if (fields.admitted !== 0) print('    cluster-hook: accepted an audit event');
        return;
      case 'EK000':
        // Without policies, a changed cluster is not worth a line.
        if (fields.policies === 0) return;
        // Nor is a check without held replicas.
        if (fields.found === 0) return;
        if (about === undefined || name === about) print(`    ${fields.event}${subject}: ${fields.reason}`);
        return;
      case 'EK001':
        print(`    ${fields.event}${subject} will be retried: ${fields.error}`);
        return;
      case 'EK002':
        print(`    ${fields.event}${subject} became a dead letter: ${fields.error}`);
        return;
      case 'EK003':
        print(`    ${fields.event}${subject} expired, its schedule sends the next one: ${fields.error}`);
        return;
      case 'EK004':
        print(`    ${fields.event}${subject} waits or is dropped: ${fields.error}`);
        return;
      case 'EK005':
        print(`    ${fields.spans} spans were not exported: ${fields.error}`);
        return;
      case 'EK110':
        print(`    cluster-hook reviewed a write of${subject || ' a rebalancer'}: ${fields.reason ?? 'allowed'}`);
        return;
      case 'EK101':
        print(`    cluster-hook rejected a call: ${fields.error ?? fields.reason}`);
        return;
      case 'EK200':
        print(`    the hub is busy: limited to ${fields.inFlight} concurrent requests`);
        return;
      case 'EK201':
        print(`    left out of a list: ${fields.error}`);
        return;
      case 'EK103':
      case 'EK202':
      case 'EK203':
      case 'EK204':
      case 'EK400':
      case 'EK401':
      case 'EK402':
      case 'EK403':
      case 'EK404':
        // Log codes of a control plane, of the registry and of the bridge do not occur in a local run.
        return;
      case 'EK310':
        print(`    the estimator of ${fields.cluster} did not answer: ${fields.error}`);
        return;
      case 'EK311':
        print(`    ${fields.binding} could not be descheduled: ${fields.error}`);
        return;
      case 'EK312':
        print(`    triggers are written without their assignment: ${fields.error}`);
        return;
      case 'EK320':
        print(`    the run of policy ${fields.policy} was stopped: ${fields.error}`);
        return;
      case 'EK321':
        print(`    policy ${fields.policy} cannot be run: ${fields.error}`);
        return;
      case 'EK330':
        print(`    held replicas of ${fields.binding} on ${fields.cluster} are released: ${fields.reason}`);
        return;
      case 'EK331':
        print(
          `    ${fields.overdue} replica reductions are held after their grace period, the first since ${fields.since}`,
        );
        return;
      case 'EK340':
        print(`    ElasticWorkload ${fields.elasticWorkload} cannot be reconciled: ${fields.error}`);
        return;
      case 'EK500':
        print(`    a user's command: ${fields.operation}${fields.hub === undefined ? '' : ` on ${fields.hub}`}`);
        return;
      case 'EK501':
        print(`    rejected ${fields.operation}: ${fields.error}`);
        return;
      case 'EK300':
        print(`    ${fields.waiting} bindings of${subject} wait for the scheduler, the first is ${fields.first}`);
        return;
    }
  });
}
