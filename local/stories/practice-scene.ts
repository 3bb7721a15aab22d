/** A story's view of the practice hub: people ask over HTTP, and a member fails for real. */
import type { PracticeHub } from '../practice.ts';
import { requestsOf } from './hub-scene.ts';
import type { PracticeScene } from './scene.ts';

const PACE = { patienceMs: 20_000, inertMs: 1500 };

type Around = Pick<PracticeScene, 'hubName' | 'stack' | 'print'>;

export async function onPractice(
  { server, fleet }: PracticeHub,
  around: Around,
  play: (scene: PracticeScene) => Promise<void>,
): Promise<void> {
  const { ask, close } = requestsOf({ server: server.url, hookTokens: [] });
  try {
    await play({
      ...around,
      ask,
      namespace: 'default',
      pace: PACE,
      practice: { server, fleet },
      fleet: {
        // One may join while the story is played.
        get memberNames() {
          return fleet.memberNames;
        },
        fail: async (member) => {
          fleet.fail(member);
          return `${member} fails: it is NotReady, and its replicas are evicted`;
        },
        recover: async (member) => {
          fleet.recover(member);
          return `${member} recovers: it is Ready, with all its room`;
        },
        distribution: async (binding) => fleet.distribution(binding),
      },
    });
  } finally {
    close();
  }
}
