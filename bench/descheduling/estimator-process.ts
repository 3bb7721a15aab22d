/** The estimator of every member, in a process of its own: told how many replicas are unschedulable, it answers so, and says what it was asked. */
import { startEstimatorServer } from '../../local/practice-hub/estimator-server.ts';
import { FULL } from './members.ts';

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export type EstimatorCommand =
  | { readonly do: 'start'; readonly identity: Identity }
  | { readonly do: 'answer'; readonly unschedulable: number }
  | { readonly do: 'tell' };

export interface Asked {
  readonly address: string;
  /** Questions about unschedulable replicas since the last `answer`. */
  readonly questions: number;
  /** Milliseconds since 1970; 0 where there was none. */
  readonly firstAt: number;
  readonly lastAt: number;
}

const ROOM = 1_000_000;
let unschedulable = 0;
let asked: Asked = { address: '', questions: 0, firstAt: 0, lastAt: 0 };

const fleet = {
  unschedulable: () => {
    const now = performance.timeOrigin + performance.now();
    asked = { ...asked, questions: asked.questions + 1, firstAt: asked.firstAt || now, lastAt: now };
    return unschedulable;
  },
  // What is taken out of the one is to land in the other.
  roomFor: (cluster: string) => (cluster === FULL ? 0 : ROOM),
};

async function obey(command: EstimatorCommand): Promise<Asked> {
  if (command.do === 'start') {
    const { estimator } = await startEstimatorServer({ fleet, identity: command.identity });
    asked = { ...asked, address: estimator.address };
  }
  if (command.do === 'answer') {
    unschedulable = command.unschedulable;
    asked = { ...asked, questions: 0, firstAt: 0, lastAt: 0 };
  }
  return asked;
}

process.on('message', (command: EstimatorCommand) => void obey(command).then((answer) => process.send?.(answer)));
process.once('disconnect', () => process.exit(0));
