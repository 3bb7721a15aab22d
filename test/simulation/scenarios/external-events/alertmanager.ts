/** Alertmanager: it notifies the hook of each change of an alert, one after another, and again until the hook accepts it. */
import type { System } from '../../system/system.ts';
import type { Report } from './incidents.ts';
import type { EventPlace } from './parts.ts';

const RETRY_MS = 15_000;
/** Between two notifications of an alert. */
const INTERVAL_MS = 10_000;

interface AlertState {
  readonly cluster: string | undefined;
  readonly isFiring: boolean;
}

type OnReport = (name: string, place: EventPlace, report: Pick<Report, 'isEnd' | 'time'>) => void;

export class Alertmanager {
  readonly #system: System;
  readonly #onReport: OnReport;
  /** The states of each alert that are not accepted yet; the first is being sent. */
  readonly #waiting = new Map<string, AlertState[]>();
  #sent = 0;

  constructor(system: System, onReport: OnReport) {
    this.#system = system;
    this.#onReport = onReport;
  }

  set(name: string, state: AlertState): void {
    // The label is part of the identity of an alert.
    const alert = `${name} ${state.cluster ?? ''}`;
    const waiting = this.#waiting.get(alert) ?? [];
    this.#waiting.set(alert, waiting);
    waiting.push(state);
    if (waiting.length === 1) void this.#notify(alert, waiting);
  }

  async #notify(alert: string, waiting: AlertState[]): Promise<void> {
    const [state] = waiting;
    if (state === undefined) return;
    const { cluster, isFiring } = state;
    const place = cluster === undefined ? {} : { cluster };
    // By the time of its receipt, which is about now.
    this.#onReport(alert, place, { isEnd: !isFiring, time: this.#system.clock.now() });
    const labels = { alertname: alert, ...place };
    const body = { alerts: [{ status: isFiring ? 'firing' : 'resolved', labels, fingerprint: alert }] };
    this.#sent += 1;
    const status = await this.#system.post('/hubs/{hub}/alerts', `receive-alerts(${alert})#${this.#sent}`, body);
    if (status === 200) waiting.shift();
    this.#system.clock.after(status === 200 ? INTERVAL_MS : RETRY_MS, () => void this.#notify(alert, waiting));
  }
}
