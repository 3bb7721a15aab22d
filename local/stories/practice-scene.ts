/** A story's view of the practice hub: requests over HTTP, and simulated failures of members. */
import type { PracticeHub } from '../practice.ts';
import { requestsOf } from './hub-scene.ts';
import type { PracticeScene } from './scene.ts';

const TIMING = { timeoutMs: 60_000, inertMs: 1500 };

type PracticeContext = Pick<PracticeScene, 'hubName' | 'stack' | 'print'>;

export async function onPractice(
  { server, fleet }: PracticeHub,
  context: PracticeContext,
  play: (scene: PracticeScene) => Promise<void>,
): Promise<void> {
  const { ask, close } = requestsOf({ server: server.url, hookTokens: [] });
  try {
    await play({
      ...context,
      ask,
      namespace: 'default',
      timing: TIMING,
      practice: { server, fleet },
      fleet: {
        // A cluster may join while the story is played.
        get memberNames() {
          return fleet.memberNames;
        },
        fail: async (member) => {
          fleet.fail(member);
          return `${member} fails: it is NotReady, and its replicas are evicted`;
        },
        recover: async (member) => {
          fleet.recover(member);
          return `${member} recovers: it is Ready, with its full capacity`;
        },
        distribution: async (binding) => fleet.distribution(binding),
      },
    });
  } finally {
    close();
  }
}
