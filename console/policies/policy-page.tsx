/** One RebalancePolicy: what it waits for, its conditions, what it would do now, and its runs. */
import type { PolicyDetails } from '../../shared/console-api/operations/policies.ts';
import { Runs } from '../decisions/decisions-page.tsx';
import { useAnswer } from '../live.ts';
import { Chip } from '../parts/chip.tsx';
import { ClockOrDash, Facts } from '../parts/progress.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { Table } from '../parts/table-frame.tsx';
import { Age, Clock } from '../parts/time.tsx';
import { YamlPanel } from '../parts/yaml-panel.tsx';
import { policyTone } from './policies-page.tsx';
import { PolicyPreview } from './policy-preview.tsx';

const EVERY_MS = 2000;
const MOST_RUNS = 100;

export interface PolicyPageProps {
  readonly hub: string;
  readonly name: string;
}

export function PolicyPage({ hub, name }: PolicyPageProps) {
  const policies = useAnswer('listPolicies', { hub }, EVERY_MS);
  const runs = useAnswer('listRuns', { hub, policy: name, limit: MOST_RUNS }, EVERY_MS);
  return (
    <div class="page">
      <Answered answer={policies} what="policy" alone>
        {(data) => {
          const policy = data.policies.find((each) => each.name === name);
          if (policy !== undefined) return <Policy policy={policy} />;
          return (
            <Empty title={`RebalancePolicy ${name} not found`} alone>
              If it is created, it appears here.
            </Empty>
          );
        }}
      </Answered>
      <PolicyPreview hub={hub} name={name} key={name} />
      <section aria-labelledby="runs-title">
        <h2 id="runs-title">Runs</h2>
        <Answered answer={runs} what="runs">
          {(data) => <Runs hub={hub} runs={data.runs} />}
        </Answered>
      </section>
      <YamlPanel hub={hub} kind="policies" name={name} />
    </div>
  );
}

function Policy({ policy }: { readonly policy: PolicyDetails }) {
  const { name, state, message, suspended, dryRun, nextRunAt, triggers, conditions } = policy;
  return (
    <>
      <div class="page-head">
        <h1>{name}</h1>
        <span class="muted">RebalancePolicy</span>
        <Chip tone={policyTone(state)}>{state ?? 'new'}</Chip>
      </div>
      {message !== undefined && <p class={`notice ${state === 'Invalid' ? 'bad' : ''}`}>{message}</p>}
      <Facts
        facts={[
          { name: 'Starts a run', value: triggers.join(', ') || 'only on request' },
          { name: 'Windows', value: <Windows of={policy} /> },
          { name: 'Next scheduled run', value: <ClockOrDash time={nextRunAt} /> },
          { name: 'Suspended', value: suspended ? 'yes' : 'no' },
          { name: 'Dry run', value: dryRun ? 'yes: it moves nothing' : 'no' },
        ]}
      />
      {conditions.length > 0 && (
        <Table label="Conditions" columns={['Condition', ['state', 'Status'], 'Reason', 'Message', ['age', 'Changed']]}>
          {conditions.map((condition) => (
            <tr key={condition.type}>
              <th scope="row">{condition.type}</th>
              <td>{condition.status}</td>
              <td>{condition.reason}</td>
              <td class="muted prose">{condition.message}</td>
              <td class="col-age">
                <Age time={condition.changedAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function Windows({ of: { windows, windowClosesAt, windowOpensAt } }: { readonly of: PolicyDetails }) {
  if (windows.length === 0) return <>at any time</>;
  return (
    <>
      {windows.join(', ')}
      {windowClosesAt !== undefined && (
        <>
          : open until <Clock time={windowClosesAt} />
        </>
      )}
      {windowOpensAt !== undefined && (
        <>
          : opens at <Clock time={windowOpensAt} />
        </>
      )}
    </>
  );
}
