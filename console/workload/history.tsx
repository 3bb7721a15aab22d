/** The history of a workload's placement; the logs of the functions are searched on request. */
import { useState } from 'preact/hooks';
import type { Moment, WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import { plural } from '../format.ts';
import { ask } from '../live.ts';
import { CommandButton } from '../parts/command-button.tsx';
import { Empty } from '../parts/states.tsx';
import { Clock } from '../parts/time.tsx';
import { merged } from './moments.ts';

interface HistoryProps {
  readonly hub: string;
  readonly of: Pick<WorkloadAnswer, 'key'>;
  /** Newest first. */
  readonly known: readonly Moment[];
}

export function History({ hub, of, known }: HistoryProps) {
  const [logged, setLogged] = useState<readonly Moment[]>([]);
  // A log query costs money, so it runs once per press and not every second.
  const lookUp = async (): Promise<string> => {
    const { namespace, name } = of.key;
    const { history } = await ask('traceBinding', { hub, namespace: namespace === '' ? '-' : namespace, name });
    setLogged(history);
    return history.length === 0
      ? 'No log lines found in the last day'
      : `${plural(history.length, 'line')} found in the logs`;
  };
  return (
    <section class="panel history" aria-labelledby="history-title">
      <div class="panel-head">
        <h2 id="history-title">History</h2>
        <span class="head-command">
          <CommandButton command={lookUp}>Look in the logs</CommandButton>
        </span>
      </div>
      <Timeline moments={merged(known, logged)} />
    </section>
  );
}

function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  if (moments.length === 0)
    return <Empty title="No history yet">Observations, decisions and writes of this workload appear here.</Empty>;
  return (
    <ol class="timeline" tabIndex={0} aria-label="History">
      {moments.map((moment) => (
        <li key={`${moment.at} ${moment.who} ${moment.text}`} class={`moment ${moment.what}`} title={moment.id}>
          <Clock time={moment.at} />
          <span class="moment-what">{moment.what}</span>
          <span class="moment-text">
            <strong>{moment.who}</strong> {moment.text}
          </span>
        </li>
      ))}
    </ol>
  );
}
