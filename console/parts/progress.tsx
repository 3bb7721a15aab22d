/** The progress of a rebalance: done and failed, as a bar and in numbers. */
import { Clock } from './time.tsx';

export interface ProgressProps {
  readonly successful: number;
  readonly failed: number;
  readonly of: number;
  readonly label: string;
}

export function Progress({ successful, failed, of, label }: ProgressProps) {
  const share = (part: number) => (of === 0 ? 0 : part / of);
  return (
    <span class="progress">
      <span
        class="bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={successful + failed}
      >
        <span class="bar-part good" style={{ transform: `scaleX(${share(successful)})` }} />
        <span
          class="bar-part bad"
          style={{ transform: `translateX(${share(successful) * 100}%) scaleX(${share(failed)})` }}
        />
      </span>
      <span class="number progress-text">
        {(successful + failed).toLocaleString()}/{of.toLocaleString()}
      </span>
    </span>
  );
}

export interface Fact {
  readonly name: string;
  readonly value: preact.ComponentChildren;
}

/** A row of facts, each under its name. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function ClockOrDash({ time }: { readonly time: string | undefined }) {
  return time === undefined ? <span class="muted">–</span> : <Clock time={time} />;
}
