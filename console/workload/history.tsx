/** The history of a workload's placement; the logs of the functions are searched on request. */
import { useState } from 'preact/hooks';
import type { Moment, WorkloadAnswer } from '../../shared/console-api/operations/fleet.ts';
import { plural } from '../format.ts';
import { ask } from '../live.ts';
import { OrderButton } from '../parts/order-button.tsx';
import { merged } from './moments.ts';
import { Timeline } from './timeline.tsx';

export function History({ hub, of }: { readonly hub: string; readonly of: WorkloadAnswer }) {
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
        <span class="head-order">
          <OrderButton order={lookUp}>Look in the logs</OrderButton>
        </span>
      </div>
      <Timeline moments={merged(of.history, logged)} />
    </section>
  );
}
