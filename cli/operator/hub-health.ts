/** The hubs with all that is known of their health: by a request made now, and by the functions' logs. */
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';

export interface HubHealth extends HubSummary {
  readonly lastEventAt?: string;
}

/** The most severe finding of each source first. */
export function withLogged(hubs: readonly HubSummary[], { hubs: logged }: Pick<HealthAnswer, 'hubs'>): HubHealth[] {
  const byName = new Map(logged.map((each) => [each.name, each]));
  return hubs.map((hub) => {
    const { findings = [], lastEventAt } = byName.get(hub.name) ?? {};
    return {
      ...hub,
      ...(lastEventAt !== undefined && { lastEventAt }),
      findings: [...hub.findings, ...findings],
    };
  });
}
