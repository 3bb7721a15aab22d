/** The YAML of an object on the hub, read when it is opened. Managed fields are folded: they are longer than the object. */
import { useEffect, useState } from 'preact/hooks';
import type { ObjectKind } from '../../shared/console-api/operations/objects.ts';
import { useAnswer } from '../live.ts';
import { carryOut } from './command-button.tsx';
import { Answered } from './states.tsx';

export interface YamlPanelProps {
  readonly hub: string;
  readonly kind: ObjectKind;
  /** Empty for an object without one. */
  readonly namespace?: string;
  readonly name: string;
}

const EVERY_MS = 3000;

export function YamlPanel(props: YamlPanelProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel yaml" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>YAML</summary>
      {isOpen && <WholeYaml {...props} />}
    </details>
  );
}

function WholeYaml({ hub, kind, namespace = '', name }: YamlPanelProps) {
  const answer = useAnswer('getObject', { hub, kind, namespace: namespace || '-', name }, EVERY_MS);
  return (
    <Answered answer={answer} what="object">
      {({ object }) => <Yaml object={object} />}
    </Answered>
  );
}

function Yaml({ object }: { readonly object: Readonly<Record<string, unknown>> }) {
  const { managedFields, ...metadata } = (object.metadata ?? {}) as Readonly<Record<string, unknown>>;
  const text = useYaml({ ...object, metadata });
  const managed = useYaml(managedFields);
  const copy = (): void => {
    void carryOut(async () => {
      await navigator.clipboard.writeText(text);
      return 'The YAML is copied.';
    });
  };
  return (
    <div class="yaml-body">
      <button type="button" class="button quiet" onClick={copy}>
        Copy
      </button>
      <pre tabIndex={0} aria-label="YAML">
        {text}
      </pre>
      {managedFields !== undefined && (
        <details>
          <summary>metadata.managedFields</summary>
          <pre tabIndex={0} aria-label="Managed fields">
            {managed}
          </pre>
        </details>
      )}
    </div>
  );
}

/** Empty until the writer is loaded: only opened panels need it. */
function useYaml(value: unknown): string {
  const [text, setText] = useState('');
  const key = JSON.stringify(value);
  useEffect(() => {
    let isCurrent = true;
    void import('yaml').then(({ stringify }) => {
      if (isCurrent) setText(key === undefined ? '' : stringify(JSON.parse(key), { lineWidth: 0 }));
    });
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return text;
}
