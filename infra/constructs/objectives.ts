/** The alarms and the graphs of the objectives. */
import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IWidget, MathExpression, SingleValueWidget } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type BurnRate,
  burnRates,
  LEAST_MISSED,
  missedShare,
  OBJECTIVE_DAYS,
  type Objective,
  objectives,
} from '../../shared/core/objectives.ts';
import type { AlarmProps, Alarms } from './alarms.ts';
import type { SentMetrics } from './metrics.ts';

const THIRD = 8;

/** One alarm for an objective. Those of its windows have no actions: an expression has one period for all of its metrics. */
export function watchObjectives(alarms: Alarms, sent: SentMetrics): void {
  for (const [name, objective] of Object.entries(objectives)) {
    const { title, section, target } = objective;
    alarms.addAny(
      {
        section,
        about: 'burns',
        description: `The objective ${name} (${title}: ${target} %) uses up its error budget too fast.`,
      },
      burnRates.map((rate) => windowsOf(objective, rate, sent)),
    );
  }
}

/** Only the long window requires several missed events: on a quiet hub the short one has no more than the last. */
function windowsOf(objective: Objective, { burn, longMinutes, shortMinutes }: BurnRate, sent: SentMetrics) {
  const threshold = missedShare(objective, burn);
  return [
    { minutes: longMinutes, least: LEAST_MISSED },
    { minutes: shortMinutes, least: 1 },
  ].map(
    ({ minutes, least }): AlarmProps => ({
      section: objective.section,
      about: `${minutes}-minutes`,
      description: `In ${minutes} minutes, ${objective.missed} was at least ${Number((100 * threshold).toFixed(4))} % of the events.`,
      metric: shareOf(objective, { sent, period: Duration.minutes(minutes), least }),
      threshold,
    }),
  );
}

interface ShareWindow {
  readonly sent: SentMetrics;
  readonly period: Duration;
  readonly least: number;
}

/** The share of missed events; 0 if there are fewer missed ones than `least`. A metric that was not sent counts as 0. */
function shareOf({ kept, missed }: Objective, { sent, period, least }: ShareWindow): MathExpression {
  return new MathExpression({
    expression: `IF(FILL(missed, 0) >= ${least}, FILL(missed, 0) / (FILL(kept, 0) + FILL(missed, 0)), 0)`,
    usingMetrics: { kept: sent.total(kept), missed: sent.total(missed) },
    period,
  });
}

/** A row for each objective: what was kept, how fast the budget is used up, and what is left of it. */
export function objectiveRows(sent: SentMetrics): IWidget[][] {
  return Object.values(objectives).map((objective) => {
    const { title, target } = objective;
    const budget = missedShare(objective, 1);
    const plot = (period: Duration, text: Plot) => plotOf(objective, { sent, period, text });
    const size = { width: THIRD, height: 6 };
    return [
      new GraphWidget({
        ...size,
        title: `${title}, % (objective: ${target})`,
        left: [plot(Duration.hours(1), { label: 'in 1 h', of: (missed) => `100 * (1 - ${missed})` })],
      }),
      new GraphWidget({
        ...size,
        title: `${title}: burn rate`,
        left: burnRates.map(({ longMinutes }) =>
          plot(Duration.minutes(longMinutes), {
            label: `in ${longMinutes / 60} h`,
            of: (missed) => `${missed} / ${budget}`,
          }),
        ),
        leftAnnotations: burnRates.map(({ burn }) => ({ value: burn, label: `alarm: ${burn}` })),
      }),
      new SingleValueWidget({
        ...size,
        title: `${title}: error budget left of ${OBJECTIVE_DAYS} days, %`,
        metrics: [
          plot(Duration.days(OBJECTIVE_DAYS), { label: 'left', of: (missed) => `100 * (1 - ${missed} / ${budget})` }),
        ],
        setPeriodToTimeRange: true,
        start: `-P${OBJECTIVE_DAYS}D`,
      }),
    ];
  });
}

interface Plot {
  readonly label: string;
  /** The expression, of the one for the share of missed events. */
  readonly of: (missedShare: string) => string;
}

/** The ids of metrics are unique in a graph for each period. */
function plotOf(
  { kept, missed }: Objective,
  { sent, period, text }: Pick<ShareWindow, 'sent' | 'period'> & { readonly text: Plot },
): MathExpression {
  const [all, bad] = [`kept${period.toMinutes()}`, `missed${period.toMinutes()}`];
  return new MathExpression({
    expression: text.of(`(FILL(${bad}, 0) / (FILL(${all}, 0) + FILL(${bad}, 0)))`),
    label: text.label,
    period,
    usingMetrics: { [all]: sent.total(kept), [bad]: sent.total(missed) },
  });
}
