/** What a hub did not answer lately: estimators that are silent, and requests that were held back because it was slow. */
import type { HealthAnswer } from '../../shared/operator/operations/health.ts';
import { plural } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { Age } from '../parts/time.tsx';

type Sight = HealthAnswer['hubs'][number];

export function HubNotes({ sight }: { readonly sight: Sight | undefined }) {
  if (sight === undefined) return <span class="muted">–</span>;
  const { silentEstimators, slowed } = sight;
  if (silentEstimators.length === 0 && slowed === undefined)
    return <span class="muted">all was answered in the last hour</span>;
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

export function Compared({ sight }: { readonly sight: Sight | undefined }) {
  if (sight?.resyncedAt === undefined) return <span class="muted">–</span>;
  return <Age time={sight.resyncedAt} />;
}
