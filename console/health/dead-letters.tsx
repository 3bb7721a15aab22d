/** Events that no function could handle: their keys, the error, and a button that redrives them. */
import type { DeadLetterAnswer } from '../../shared/console-api/operations/health.ts';
import { plural } from '../format.ts';
import { ask, may } from '../live.ts';
import { CommandButton } from '../parts/command-button.tsx';
import { Empty } from '../parts/states.tsx';
import { Age } from '../parts/time.tsx';

export function DeadLetters({ deadLetters }: { readonly deadLetters: readonly DeadLetterAnswer[] }) {
  if (deadLetters.length === 0)
    return <Empty title="No dead letters">Every event was handled, or is being retried.</Empty>;
  const byQueue = [...Map.groupBy(deadLetters, ({ queue }) => queue)];
  return (
    <>
      {byQueue.map(([queue, of]) => (
        <div class="dead-letters" key={queue}>
          <div class="dead-letters-head">
            <h3>{queue}</h3>
            <span class="muted">{plural(of.length, 'letter')}</span>
            {may.value.command && (
              <CommandButton kind="main" command={() => redrive({ queue })} label={`Redrive all of ${queue}`}>
                Redrive all
              </CommandButton>
            )}
          </div>
          <ul class="letter-list">
            {of.map((deadLetter) => (
              <DeadLetterRow key={deadLetter.id} deadLetter={deadLetter} />
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

async function redrive(which: { readonly queue: string; readonly ids?: string[] }): Promise<string> {
  const { redriven } = await ask('redriveDeadLetters', which);
  return redriven === 0 ? 'The queue is empty' : `${plural(redriven, 'dead letter')} delivered again`;
}

function DeadLetterRow({
  deadLetter: { id, queue, event, detail, reason, error, sentAt },
}: {
  readonly deadLetter: DeadLetterAnswer;
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
      {may.value.command && (
        <span class="letter-do">
          <CommandButton command={() => redrive({ queue, ids: [id] })} label={`Redrive ${event ?? 'event'} ${subject}`}>
            Redrive
          </CommandButton>
        </span>
      )}
    </li>
  );
}

/** "karmada/web": the keys of a detail, without the fields that every event has. */
function subjectOf(detail: DeadLetterAnswer['detail']): string {
  return Object.entries(detail ?? {})
    .filter(([field]) => field !== 'version' && field !== 'uid')
    .map(([, value]) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''))
    .filter((part) => part !== '')
    .join('/');
}
