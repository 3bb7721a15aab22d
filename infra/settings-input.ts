/** Settings in the construct's props: a number in the setting's unit, or a Duration for times. */
import { Duration } from 'aws-cdk-lib';
import { type SettingName, settingDefinitions } from '../shared/core/settings.ts';

const inUnit = {
  s: (time: Duration) => time.toSeconds(),
  minutes: (time: Duration) => time.toMinutes(),
  h: (time: Duration) => time.toHours(),
  days: (time: Duration) => time.toDays(),
};

type UnitOf<Name extends SettingName> = (typeof settingDefinitions)[Name]['unit'];

export type SettingsInput = {
  readonly [Name in SettingName]?: UnitOf<Name> extends keyof typeof inUnit ? number | Duration : number;
};

/** Converts each Duration to its setting's unit; adds an error to `wrong` if it is not a whole number. */
export function plainSettings(given: Readonly<Record<string, unknown>>, wrong: string[]): Record<string, unknown> {
  const plain = Object.entries(given).flatMap(([name, value]) => {
    if (!(value instanceof Duration)) return [[name, value] as const];
    const number = numberOf(name, value, wrong);
    return number === undefined ? [] : [[name, number] as const];
  });
  return Object.fromEntries(plain);
}

/** Undefined after adding an error to `wrong`. */
function numberOf(name: string, time: Duration, wrong: string[]): number | undefined {
  const unit = Object.hasOwn(settingDefinitions, name) ? settingDefinitions[name as SettingName].unit : '';
  if (!Object.hasOwn(inUnit, unit)) {
    wrong.push(`evenkeel.settings.${name}: a Duration is not a number of ${unit || 'anything'}; write the number`);
    return undefined;
  }
  try {
    return inUnit[unit as keyof typeof inUnit](time);
  } catch (thrown) {
    wrong.push(`evenkeel.settings.${name}: ${(thrown as Error).message}`);
    return undefined;
  }
}
