/** Alarms with a uniform format: a name, a description, the section of the runbook, and the topic that they notify. */
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarm,
  type IAlarmRule,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ALARM_PERIOD_MINUTES } from '../../shared/console-api/health-findings.ts';
import { objectives } from '../../shared/core/objectives.ts';

/** The sections of docs/operations/runbook.md that alarms refer to. */
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
  ...Object.values(objectives).map(({ section }) => section),
] as const;

type RunbookSection = (typeof runbookSections)[number];

interface AlarmName {
  readonly section: RunbookSection;
  /** The subject of the alarm: a route, a function, a hub. With the section it forms the alarm's name. */
  readonly about: string;
  /** The condition of the alarm, in a sentence. */
  readonly description: string;
}

export interface AlarmProps extends AlarmName {
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
  /** Those that notify. */
  readonly all: IAlarm[] = [];
  readonly #name: string;
  readonly #topic: ITopic;

  constructor(scope: Construct, id: string, { name, topic }: { readonly name: string; readonly topic: ITopic }) {
    super(scope, id);
    this.#name = name;
    this.#topic = topic;
  }

  add(props: AlarmProps): void {
    const alarm = this.#alarm(props);
    this.#notify(alarm);
  }

  /** One alarm for several conditions: it notifies while all alarms of one list fire at once. */
  addAny({ section, about, description }: AlarmName, lists: readonly (readonly AlarmProps[])[]): void {
    const firing = (each: AlarmProps): IAlarmRule => AlarmRule.fromAlarm(this.#alarm(each), AlarmState.ALARM);
    const alarm = new CompositeAlarm(this, `${section}-${about}`, {
      compositeAlarmName: `${this.#name}-${section}-${about}`,
      alarmDescription: `${description} What to do: docs/operations/runbook.md#${section}`,
      alarmRule: AlarmRule.anyOf(...lists.map((list) => AlarmRule.allOf(...list.map(firing)))),
    });
    this.#notify(alarm);
  }

  #notify(alarm: AlarmBase): void {
    const action = new SnsAction(this.#topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.all.push(alarm);
  }

  #alarm(props: AlarmProps): Alarm {
    const { section, about, description, metric, threshold, below = false, periods = 1, among = periods } = props;
    return new Alarm(this, `${section}-${about}`, {
      alarmName: `${this.#name}-${section}-${about}`,
      alarmDescription: `${description} What to do: docs/operations/runbook.md#${section}`,
      metric,
      threshold,
      comparisonOperator: below
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: among,
      ...(among > periods && { datapointsToAlarm: periods }),
      treatMissingData: props.silence ?? TreatMissingData.NOT_BREACHING,
    });
  }
}
