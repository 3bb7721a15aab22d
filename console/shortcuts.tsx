/** Keyboard shortcuts: `/` searches the names of the hub, `?` lists the shortcuts. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useAnswer } from './live.ts';
import { goTo, route } from './location.ts';
import { Dialog } from './parts/dialog.tsx';
import { hrefOf } from './route.ts';
import { type FoundName, foundNames, namesOfHub } from './search-names.ts';

const READ_EVERY_MS = 5000;

type OpenDialog = 'search' | 'help' | undefined;

export function Shortcuts() {
  const [open, setOpen] = useState<OpenDialog>();
  const here = route.value;
  const hub = 'hub' in here ? here.hub : undefined;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '/' && hub !== undefined) setOpen('search');
      else if (event.key === '?') setOpen('help');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [hub]);
  const close = (): void => setOpen(undefined);
  if (open === 'help') return <Help onClose={close} />;
  return open === 'search' && hub !== undefined ? <SearchDialog hub={hub} onClose={close} /> : null;
}

/** A key goes to the field that has the focus, or to the dialog that is open. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
}

interface DialogUse {
  readonly onClose: () => void;
}

function Help({ onClose }: DialogUse) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-end">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

const keys = [
  ['/', 'Search workloads, clusters, tasks and policies of the hub'],
  ['↑ ↓ Enter', 'In the results: select and open one'],
  ['?', 'These shortcuts'],
  ['Esc', 'Close a dialog'],
  ['Tab', 'The next field, button or link'],
] as const;

function SearchDialog({ hub, onClose }: DialogUse & { readonly hub: string }) {
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  const fleet = useAnswer('getFleet', { hub }, READ_EVERY_MS);
  const tasks = useAnswer('listTasks', { hub, limit: 100 }, READ_EVERY_MS);
  const policies = useAnswer('listPolicies', { hub }, READ_EVERY_MS);
  const names = useMemo(
    () => namesOfHub(hub, { fleet: fleet.data, tasks: tasks.data?.tasks, policies: policies.data?.policies }),
    [hub, fleet.data, tasks.data, policies.data],
  );
  const found = foundNames(names, text);
  const go = (to: FoundName | undefined): void => {
    if (to === undefined) return;
    onClose();
    goTo(to.route);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setSelected((at) => Math.max(0, Math.min(found.length - 1, at + step)));
  };
  return (
    <Dialog title={`Search hub ${hub}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go(found[selected]);
        }}
      >
        <input
          class="search-names"
          type="search"
          aria-label="Name"
          placeholder="A workload, cluster, task or policy"
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setSelected(0);
          }}
          onKeyDown={onKey}
        />
        <ul class="found" aria-label="Results">
          {found.map((each, i) => (
            <li key={`${each.kind} ${each.name}`} class={i === selected ? 'selected' : ''}>
              <a
                href={hrefOf(each.route)}
                aria-current={i === selected ? 'true' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  go(each);
                }}
              >
                {each.name} <span class="muted">{each.kind}</span>
              </a>
            </li>
          ))}
        </ul>
        <p class="muted" role="status">
          {found.length === 0
            ? text === ''
              ? 'Type a part of a name.'
              : `Nothing has ${JSON.stringify(text)} in its name.`
            : ''}
        </p>
      </form>
    </Dialog>
  );
}
