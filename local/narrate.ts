/** Says what the functions decide, as they decide it: beside a story, and while a person tries things. */
import type { Stack } from './stack.ts';

export interface Narration {
  readonly stack: Stack;
  readonly print: (line: string) => void;
  /** Only what is about the rebalancer of this name; all, where absent. */
  readonly about?: string;
}

/** Returns what ends it. */
export function narrate({ stack, print, about }: Narration): () => void {
  return stack.telemetry.listen((code, fields) => {
    const name = typeof fields.name === 'string' ? fields.name : '';
    const subject = about === undefined && name !== '' ? ` ${name}` : '';
    switch (code) {
      case 'EK100':
        if (fields.admitted !== 0) print('    cluster-hook: an audit event came in, and concerns us');
        return;
      case 'EK000':
        // Where there are no policies, that a cluster changed is no news.
        if (fields.policies === 0) return;
        // Nor, where nothing is held, that somebody has looked.
        if (fields.found === 0) return;
        if (about === undefined || name === about) print(`    ${fields.event}${subject}: ${fields.reason}`);
        return;
      case 'EK001':
        print(`    ${fields.event}${subject} will be delivered again: ${fields.error}`);
        return;
      case 'EK002':
        print(`    ${fields.event}${subject} went to the dead letters: ${fields.error}`);
        return;
      case 'EK110':
        print(`    cluster-hook reviewed a write of${subject || ' a rebalancer'}: ${fields.reason ?? 'allowed'}`);
        return;
      case 'EK101':
        print(`    cluster-hook refused a call: ${fields.error ?? fields.reason}`);
        return;
      case 'EK200':
        print(`    the hub is busy: ${fields.inFlight} requests in flight at most now`);
        return;
      case 'EK201':
        print(`    left out of a list: ${fields.error}`);
        return;
      case 'EK103':
      case 'EK400':
      case 'EK401':
      case 'EK402':
      case 'EK403':
      case 'EK404':
        // Of a control plane's log and of the bridge: neither is part of a local run.
        return;
      case 'EK310':
        print(`    the estimator of ${fields.cluster} did not answer: ${fields.error}`);
        return;
      case 'EK311':
        print(`    ${fields.binding} could not be descheduled: ${fields.error}`);
        return;
      case 'EK320':
        print(`    the run of policy ${fields.policy} was stopped: ${fields.error}`);
        return;
      case 'EK321':
        print(`    policy ${fields.policy} cannot be followed: ${fields.error}`);
        return;
      case 'EK330':
        print(`    what ${fields.cluster} kept of ${fields.binding} is let go: ${fields.reason}`);
        return;
      case 'EK340':
        print(`    ElasticWorkload ${fields.elasticWorkload} cannot be carried out: ${fields.error}`);
        return;
      case 'EK500':
        print(`    somebody ordered ${fields.operation}${fields.hub === undefined ? '' : ` on ${fields.hub}`}`);
        return;
      case 'EK501':
        print(`    refused ${fields.operation}: ${fields.error}`);
        return;
      case 'EK300':
        print(`    ${fields.waiting} bindings of${subject} wait for the scheduler, the first is ${fields.first}`);
        return;
    }
  });
}
