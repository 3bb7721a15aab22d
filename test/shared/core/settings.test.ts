import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../../shared/core/environment.ts';
import {
  environmentName,
  environmentOf,
  parseSettings,
  readSettings,
  settingDefinitions,
  settingNames,
} from '../../../shared/core/settings.ts';

describe('settings', () => {
  it('have their defaults if the environment is empty', () => {
    const defaults = Object.fromEntries(settingNames.map((name) => [name, settingDefinitions[name].default]));
    expect(parseSettings({})).toEqual(defaults);
  });

  it('come from the environment under their own names', () => {
    expect(environmentName('hubInFlight')).toBe('EVENKEEL_HUB_IN_FLIGHT');
    expect(environmentName('auditBodyKib')).toBe('EVENKEEL_AUDIT_BODY_KIB');
    expect(readSettings({ EVENKEEL_HUB_IN_FLIGHT: '8', OTHER: 'x' }).hubInFlight).toBe(8);
  });

  it('go into the environment as they are read from it', () => {
    const settings = { hubInFlight: 8, deschedulingBeyondCapacity: 1 };
    expect(readSettings(environmentOf(settings))).toEqual(parseSettings(settings));
  });

  it.each(['0', '65', '-1', '1.5', 'NaN', '', ' ', '1e400', 'sixteen', '0x10 '])(
    '%j is no number of requests in flight',
    (text) => {
      expect(() => parseSettings({ hubInFlight: text })).toThrow('from 1 to 64; the default is 16');
    },
  );

  it.each([null, true, {}, [], Number.NaN])('%j is none either', (value) => {
    expect(() => parseSettings({ hubInFlight: value })).toThrow('hubInFlight');
  });

  it('are rejected all at once, with the supported names for an unknown one', () => {
    expect(() => parseSettings({ chunksize: 10, chunkSize: 0, historyDays: 400 })).toThrow(
      /chunksize: there is no such setting.*chunkSize: 0 .*historyDays: 400/s,
    );
  });
});

describe('a wire', () => {
  it('that is missing is named', () => {
    expect(() => readEnvironment({}, 'tableName')).toThrow('EVENKEEL_TABLE_NAME is not set');
  });
});
