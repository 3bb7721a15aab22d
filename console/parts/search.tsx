/** A field that filters while typing. */
import { Icon } from './icon.tsx';

export interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Search({ label, value, onChange }: SearchProps) {
  return (
    <label class="search">
      <Icon name="search" />
      <span class="sr-only">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

export interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly of: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}

/** A choice of a few options, side by side. */
export function Choice<T extends string>({ label, value, of, onChange }: ChoiceProps<T>) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {of.map(([each, text]) => (
        <button type="button" key={each} aria-pressed={each === value} onClick={() => onChange(each)}>
          {text}
        </button>
      ))}
    </div>
  );
}
