/** The hubs: their state, and the commands for each. */
import { useState } from 'preact/hooks';
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import { signed } from '../format.ts';
import { ask, may } from '../live.ts';
import { Chip } from '../parts/chip.tsx';
import { CommandButton } from '../parts/command-button.tsx';
import { CommandDialog } from '../parts/command-dialog.tsx';
import { Search } from '../parts/search.tsx';
import { Empty } from '../parts/states.tsx';
import { TableFrame, TableHead } from '../parts/table-frame.tsx';
import { Age } from '../parts/time.tsx';
import { hrefOf } from '../route.ts';
import { HubFindings, stateCodes } from './hub-findings.tsx';

export interface HubTableProps {
  readonly hubs: readonly HubSummary[];
  /** The health of each hub; undefined while it is read. */
  readonly health: HealthAnswer | undefined;
}

/** The minimum number of hubs for a search field. */
const MANY = 8;
/** Rows before the button that shows all: the dead letters are below them. */
const FIRST_ROWS = 25;

export function HubTable({ hubs, health }: HubTableProps) {
  const [pausing, setPausing] = useState<string>();
  const [typed, setTyped] = useState('');
  const [most, setMost] = useState(FIRST_ROWS);
  if (hubs.length === 0)
    return <Empty title="No hub is connected">Connect one: evenkeel hub add NAME --kubeconfig FILE.</Empty>;
  const found = inOrder(hubs).filter(({ name }) => name.includes(typed.trim()));
  return (
    <>
      {hubs.length >= MANY && <Search label="Filter hubs" value={typed} onChange={setTyped} />}
      <TableFrame label="Hubs">
        <table class="table cards hubs">
          <TableHead
            columns={[
              ['name', 'Hub'],
              ['health', 'State'],
              ['time', 'Compared'],
              ['time', 'Last event'],
              ['time', 'Clock'],
              'Problems',
              ...(may.value.command ? [['commands', 'Commands'] as const] : []),
            ]}
          />
          <tbody>
            {found.slice(0, most).map((hub) => (
              <HubRow key={hub.name} hub={hub} health={health} onPause={setPausing} />
            ))}
          </tbody>
        </table>
        {found.length > most && (
          <button type="button" class="button quiet" onClick={() => setMost(Number.POSITIVE_INFINITY)}>
            Show all {found.length.toLocaleString()} hubs
          </button>
        )}
        {pausing !== undefined && <PauseDialog hub={pausing} onClose={() => setPausing(undefined)} />}
      </TableFrame>
    </>
  );
}

/** Those that need attention first, as the API lists them. If all are shown, by name: a row then keeps its place when its hub fails. */
function inOrder(hubs: readonly HubSummary[]): readonly HubSummary[] {
  return hubs.length > FIRST_ROWS ? hubs : hubs.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface HubRowProps extends Pick<HubTableProps, 'health'> {
  readonly hub: HubSummary;
  readonly onPause: (name: string) => void;
}

function HubRow({ hub: { name, paused, reach, findings }, health, onPause }: HubRowProps) {
  const logged = health?.hubs.find((each) => each.name === name);
  const shown = [...findings, ...(logged?.findings ?? [])].filter(({ code }) => !stateCodes.includes(code));
  // What a hub that does not answer reported before is no longer known.
  const isStale = reach.state === 'Unreachable' ? 'is-stale' : '';
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf({ page: 'fleet', hub: name })}>{name}</a>
      </th>
      <td data-label="State">
        <HubState paused={paused} reach={reach} />
      </td>
      <td data-label="Compared" class={isStale}>
        {reach.comparedAt === undefined ? <span class="muted">–</span> : <Age time={reach.comparedAt} />}
      </td>
      <td data-label="Last event" class={isStale}>
        {logged?.lastEventAt === undefined ? <span class="muted">–</span> : <Age time={logged.lastEventAt} />}
      </td>
      <td data-label="Clock" class={isStale}>
        <ClockDifference seconds={reach.clockSeconds} />
      </td>
      <td data-label="Problems" class={isStale}>
        {health === undefined ? <span class="muted">–</span> : <HubFindings findings={shown} />}
      </td>
      {may.value.command && (
        <td class="col-commands">
          <Commands name={name} paused={paused !== undefined} onPause={onPause} />
        </td>
      )}
    </tr>
  );
}

/** Whether the difference matters is a finding. */
function ClockDifference({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return <span class="muted">–</span>;
  return <span class="number">{seconds === 0 ? 'agrees' : `${signed(seconds)} s`}</span>;
}

/** One line of text beside the chip, whatever the state: a failing hub does not change the height of its row. */
function HubState({ paused, reach }: Pick<HubSummary, 'paused' | 'reach'>) {
  if (paused === undefined && reach.state === 'Reachable')
    return (
      <span class="hub-state">
        <Chip tone="good">acting</Chip>
        <span class="muted" />
      </span>
    );
  if (paused === undefined || reach.state === 'Unreachable')
    return (
      <span class="hub-state" title={reach.message}>
        <Chip tone="bad" icon="warning">
          {reach.state === 'Unreachable' ? 'unreachable' : 'not compared'}
        </Chip>
        <span class="muted">{reach.message}</span>
      </span>
    );
  return (
    <span class="hub-state" title={paused.reason}>
      <Chip tone="warn" icon="pause">
        paused
      </Chip>
      <span class="muted">
        <Age time={paused.since} />
        {paused.by !== undefined && ` by ${paused.by}`}
        {paused.reason !== '' && `: ${paused.reason}`}
      </span>
    </span>
  );
}

interface CommandsProps {
  readonly name: string;
  readonly paused: boolean;
  readonly onPause: (name: string) => void;
}

function Commands({ name, paused, onPause }: CommandsProps) {
  const resume = async (): Promise<string> => {
    const { wasPaused } = await ask('resumeHub', { hub: name });
    return wasPaused ? `${name} is resumed and compared` : `${name} was not paused`;
  };
  const resync = async (): Promise<string> => {
    const { asked } = await ask('resyncHub', { hub: name });
    return `${name} is compared now (${asked.length} parts)`;
  };
  return (
    <span class="commands">
      {paused ? (
        <CommandButton kind="main" command={resume} label={`Resume ${name}`}>
          Resume
        </CommandButton>
      ) : (
        <>
          <CommandButton command={resync} label={`Resync ${name}`}>
            Resync
          </CommandButton>
          <button type="button" class="button quiet" aria-label={`Pause ${name}`} onClick={() => onPause(name)}>
            Pause…
          </button>
        </>
      )}
    </span>
  );
}

function PauseDialog({ hub, onClose }: { readonly hub: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState('');
  const pause = async (): Promise<string> => {
    await ask('pauseHub', { hub, reason });
    onClose();
    return `${hub} is paused`;
  };
  return (
    <CommandDialog title={`Pause ${hub}`} verb="Pause" kind="danger" command={pause} onClose={onClose}>
      <p class="muted">
        Evenkeel writes nothing on the hub until it is resumed, and drops its events; resuming compares the whole hub.
        Held replicas on the hub stay held.
      </p>
      <label class="field">
        <span>Why</span>
        <input
          type="text"
          maxLength={300}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
          placeholder="Shown to other operators"
        />
      </label>
    </CommandDialog>
  );
}
