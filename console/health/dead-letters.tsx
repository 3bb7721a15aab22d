/** Events that no function could handle: what each was about, why it failed, and a way to have it delivered again. */
import type { DeadLetterAnswer } from '../../shared/operator/operations/health.ts';
import { ask } from '../api.ts';
import { plural } from '../format.ts';
import { may } from '../may.ts';
import { OrderButton } from '../parts/order-button.tsx';
import { Empty } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';

export function DeadLetters({ letters }: { readonly letters: readonly DeadLetterAnswer[] }) {
  if (letters.length === 0)
    return <Empty title="No dead letters">Every event was handled, or is being tried again.</Empty>;
  const byQueue = [...Map.groupBy(letters, ({ queue }) => queue)];
  return (
    <>
      {byQueue.map(([queue, of]) => (
        <div class="letters" key={queue}>
          <div class="letters-head">
            <h3>{queue}</h3>
            <span class="muted">{plural(of.length, 'letter')}</span>
            {may.value.order && (
              <OrderButton kind="main" order={() => redrive({ queue })} label={`Redrive all of ${queue}`}>
                Redrive all
              </OrderButton>
            )}
          </div>
          <ul class="letter-list">
            {of.map((letter) => (
              <Letter key={letter.id} letter={letter} />
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

async function redrive(which: { readonly queue: string; readonly ids?: string[] }): Promise<string> {
  const { redriven } = await ask('redriveDeadLetters', which);
  return redriven === 0 ? 'Nothing was there to redrive' : `${plural(redriven, 'dead letter')} delivered again`;
}

function Letter({
  letter: { id, queue, event, detail, reason, error, sentAt },
}: {
  readonly letter: DeadLetterAnswer;
}) {
  const subject = subjectOf(detail);
  return (
    <li class="letter">
      <span class="letter-event">
        <strong>{event ?? 'unreadable event'}</strong> {subject}
      </span>
      <span class="letter-age">{sentAt !== undefined && <Age time={sentAt} />}</span>
      <span class="letter-why">
        <span class="bad">{reason}</span> <span class="muted">{error}</span>
      </span>
      {may.value.order && (
        <span class="letter-do">
          <OrderButton order={() => redrive({ queue, ids: [id] })} label={`Redrive ${event ?? 'event'} ${subject}`}>
            Redrive
          </OrderButton>
        </span>
      )}
    </li>
  );
}

/** "karmada/web": the keys that a detail carries, without what everyone's has. */
function subjectOf(detail: DeadLetterAnswer['detail']): string {
  return Object.entries(detail ?? {})
    .filter(([field]) => field !== 'version' && field !== 'uid')
    .map(([, value]) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''))
    .filter((part) => part !== '')
    .join('/');
}
