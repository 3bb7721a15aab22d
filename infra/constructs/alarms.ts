/** Alarms in one voice: a name, what it means in a sentence, the page that says what to do, and the topic that tells people. */
import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/** The sections of docs/runbook.md that alarms point at. */
export const runbookSections = [
  'dead-letters',
  'old-messages',
  'function-errors',
  'function-throttles',
  'hook-refuses',
  'hook-fails',
  'unreadable-audit-events',
  'rescheduling-overdue',
  'lost-schedules',
  'silent-resync',
  'silent-estimators',
  'stopped-policies',
  'late-reductions',
  'unplaced-replicas',
] as const;

type RunbookSection = (typeof runbookSections)[number];

export interface AlarmProps {
  readonly section: RunbookSection;
  /** What it is about: a route, a function, a hub. With the section it names the alarm. */
  readonly about: string;
  /** What is the case when it rings, in a sentence. */
  readonly says: string;
  readonly metric: IMetric;
  /** Rings at this value and above; or where `below` is set, under it. */
  readonly threshold: number;
  readonly below?: boolean;
  /** How many periods in a row; 1 unless told. */
  readonly periods?: number;
  /** What silence means; that all is well, unless told. */
  readonly silence?: TreatMissingData;
}

export const FIVE_MINUTES = Duration.minutes(5);

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
    const { section, about, says, metric, threshold, below = false, periods = 1 } = props;
    const alarm = new Alarm(this, `${section}-${about}`, {
      alarmName: `${this.#name}-${section}-${about}`,
      alarmDescription: `${says} What to do: docs/runbook.md#${section}`,
      metric,
      threshold,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: props.silence ?? TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(this.#topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.all.push(alarm);
  }
}
