/** Plays a history to its end, and returns its violations. */
import { StatusError } from '../../local/practice-hub/store/status-error.ts';
import { randomFaults, recordedFaults } from './fault-injector.ts';
import type { History } from './history.ts';
import { randomOf } from './random-values.ts';
import { RestOracle } from './rest-oracle.ts';
import { doCommon } from './scenarios/common-acts.ts';
import type { FairnessFigures } from './scenarios/hubs/fairness-oracle.ts';
import type { Life } from './scenarios/scenario.ts';
import { type ScenarioName, scenarioNames, scenarioOf } from './scenarios/scenarios.ts';
import type { DeployedCode } from './system/function-code.ts';
import { System } from './system/system.ts';
import { type Violation, Violations } from './violations.ts';

export interface Played {
  readonly history: History & Required<Pick<History, 'faults'>>;
  readonly violations: readonly Violation[];
  /** The number of invocations. */
  readonly deliveries: number;
  readonly virtualMs: number;
  /** If there are several hubs. */
  readonly fairness: FairnessFigures | undefined;
}

const SECOND = 1000;
const MINUTE = 60_000;
/** Longer than the longest delay of an event, and than the longest backoff. */
const CALM_MS = 4 * 60 * MINUTE;
/** The period without any writes. */
const REST_MS = 60 * MINUTE;
/** Upper bound for events that are in flight at the end, of one hub and of many. */
const RUNNING_MS = 30_000;
const RUNNING_OF_MANY_MS = 10 * MINUTE;
const RESYNC_MS = 10 * MINUTE;
const MAX_SKEW_MS = 400;
/** The share of histories in which the hook never recovers, so that only resync finds changes. */
const HOOK_NEVER_BACK = 0.2;

/** The history of a seed; its scenario is random unless `named`. */
export function historyOf(seed: number, named?: ScenarioName, hubs?: number): History {
  const random = randomOf(seed);
  const scenario = named ?? random.pick('scenario', scenarioNames);
  return { scenario, hubs, seed, acts: scenarioOf(scenario, hubs).draw(random) };
}

export async function play(
  history: History,
  listen?: (code: string, fields: object, at: number) => void,
  deployed?: DeployedCode,
): Promise<Played> {
  const random = randomOf(history.seed);
  const injector = history.faults === undefined ? randomFaults(random) : recordedFaults(history.faults);
  const { begin, settings, hubs, hasBudgets, calmMs = CALM_MS } = scenarioOf(history.scenario, history.hubs);
  const system = new System({ random, injector, maxSkewMs: MAX_SKEW_MS, settings, hubs, hasBudgets, deployed });
  if (listen) system.telemetry.listen((code, fields) => listen(code, fields, system.clock.now()));
  const violations = new Violations();
  const life = begin(system, { violations, skewMs: 2 * MAX_SKEW_MS });
  const rest = new RestOracle(system, violations);
  const began = system.clock.now();
  for (const { at, act } of history.acts) {
    await system.pass(Math.max(0, began + at - system.clock.now()));
    unlessRejected(() => life.act(act));
  }
  await system.pass(MINUTE);
  injector.end();
  unlessRejected(() => life.calm());
  doCommon(system.hub, { do: 'bus up' });
  for (const hub of system.hubs.values())
    doCommon(hub, { do: hub.random.of('hook never back') >= HOOK_NEVER_BACK ? 'hook up' : 'hook down' });
  await passWithResyncs(system, life, calmMs);
  rest.begin();
  await passWithResyncs(system, life, REST_MS);
  await passDeliveries(system);
  rest.end();
  await life.atRest();
  return {
    history: { ...history, faults: [...injector.injected] },
    violations: violations.found,
    deliveries: system.deliveries,
    virtualMs: system.clock.now() - began,
    fairness: life.figures,
  };
}

function unlessRejected(act: () => void): void {
  try {
    act();
  } catch (thrown) {
    if (!(thrown instanceof StatusError)) throw thrown;
  }
}

/** Waits for the deliveries of the last schedule. */
async function passDeliveries(system: System): Promise<void> {
  const isWaiting = () => [...system.bus.queues.values()].some(({ depth }) => depth > 0);
  const most = system.hubs.size > 1 ? RUNNING_OF_MANY_MS : RUNNING_MS;
  for (let passed = 0; isWaiting() && passed < most; passed += SECOND) await system.pass(SECOND);
}

async function passWithResyncs(system: System, life: Life, ms: number): Promise<void> {
  const end = system.clock.now() + ms;
  while (system.clock.now() < end) {
    life.act({ do: 'resync' });
    await system.pass(RESYNC_MS);
  }
}
