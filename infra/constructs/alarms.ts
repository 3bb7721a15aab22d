/** Alarms with a uniform format: a name, a description, the section of the runbook, and the topic that they notify. */
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ALARM_PERIOD_MINUTES } from '../../shared/console-api/health-findings.ts';

/** The sections of docs/runbook.md that alarms refer to. */
export const runbookSections = [
  'dead-letters',
  'old-messages',
  'function-errors',
  'function-throttles',
  'hook-rejections',
  'hook-fails',
  'unreadable-audit-events',
  'rescheduling-overdue',
  'lost-schedules',
  'silent-resync',
  'expired-schedules',
  'silent-estimators',
  'stopped-policies',
  'late-reductions',
  'overdue-reductions',
  'unplaced-replicas',
] as const;

type RunbookSection = (typeof runbookSections)[number];

export interface AlarmProps {
  readonly section: RunbookSection;
  /** The subject of the alarm: a route, a function, a hub. With the section it forms the alarm's name. */
  readonly about: string;
  /** The condition of the alarm, in a sentence. */
  readonly description: string;
  readonly metric: IMetric;
  /** Alarms at this value and above, or below it if `below` is set. */
  readonly threshold: number;
  readonly below?: boolean;
  /** Number of periods; 1 by default. */
  readonly periods?: number;
  /** Among so many periods; by default they are consecutive. */
  readonly among?: number;
  /** Treatment of missing data; not breaching by default. */
  readonly silence?: TreatMissingData;
}

export const FIVE_MINUTES = Duration.minutes(ALARM_PERIOD_MINUTES);

export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #name: string;
  readonly #topic: ITopic;

  constructor(scope: Construct, id: string, { name, topic }: { readonly name: string; readonly topic: ITopic }) {
    super(scope, id);
    this.#name = name;
    this.#topic = topic;
  }

  add(props: AlarmProps): void {
    const { section, about, description, metric, threshold, below = false, periods = 1, among = periods } = props;
    const alarm = new Alarm(this, `${section}-${about}`, {
      alarmName: `${this.#name}-${section}-${about}`,
      alarmDescription: `${description} What to do: docs/runbook.md#${section}`,
      metric,
      threshold,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: among,
      ...(among > periods && { datapointsToAlarm: periods }),
      treatMissingData: props.silence ?? TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(this.#topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.all.push(alarm);
  }
}
