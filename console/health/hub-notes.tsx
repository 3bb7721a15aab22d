/** Recent problems of a hub: estimators without responses, and requests that were limited because the hub was slow. */
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import { plural } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { Age } from '../parts/time.tsx';

type HubHealth = HealthAnswer['hubs'][number];

export function HubNotes({ observation }: { readonly observation: HubHealth | undefined }) {
  if (observation === undefined) return <span class="muted">–</span>;
  const { silentEstimators, slowed } = observation;
  if (silentEstimators.length === 0 && slowed === undefined)
    return <span class="muted">no problems in the last hour</span>;
  return (
    <ul class="hub-notes">
      {slowed && (
        <li>
          <Icon name="warning" tone="warn" />
          <span>
            slow <Age time={slowed.at} />: {plural(slowed.inFlight, 'request')} at once since
          </span>
        </li>
      )}
      {silentEstimators.map(({ cluster, at, error }) => (
        <li key={cluster} title={error}>
          <Icon name="warning" tone="warn" />
          <span>
            estimator of {cluster} silent <Age time={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
