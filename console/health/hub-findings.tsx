/** What is wrong with a hub or a queue, as the API reports it, with the remedy. */
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import { Icon } from '../parts/icon.tsx';

type ReportedFinding = HubSummary['findings'][number];

/** Codes that the state of a hub shows. */
export const stateCodes: readonly ReportedFinding['code'][] = [
  ...(['HubUnreachable', 'HubNotCompared', 'HubNeverCompared', 'HubRemoving', 'HubPaused'] as const),
];

export function HubFindings({ findings }: { readonly findings: readonly ReportedFinding[] }) {
  if (findings.length === 0) return <span class="muted">none</span>;
  return (
    <ul class="hub-findings">
      {findings.map(({ code, level, text, remedy }) => (
        <li key={`${code} ${text}`} title={`Remedy: ${remedy}`}>
          <Icon name={level === 'error' ? 'cross' : 'warning'} tone={level === 'error' ? 'bad' : 'warn'} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
