import { describe, expect, it } from 'vitest';
import {
  afterRenewal,
  complaintAbout,
  credentialToRenew,
  decideRenewal,
  requireToken,
} from '../../../functions/hub-connection/renew-token.ts';
import { tokenCheckMinutes } from '../../../shared/bus/schedules.ts';
import { settingDefinitions } from '../../../shared/core/settings.ts';
import { at, jwt } from '../../builders.ts';

const HOUR = 3600;
const account = { namespace: 'evenkeel', name: 'evenkeel' };
const token = (hours: number) => ({ account, issuedAt: at(0), expiresAt: at(hours * HOUR) });

describe('a token for a hub', () => {
  it.each([
    ['is new', 0, false, 'its token is valid for another 48 h of 48 h'],
    ['is a second short of half its life', 24 * HOUR - 1, false, 'its token is valid for another 24 h of 48 h'],
    ['has half its life behind it', 24 * HOUR, true, 'its token is valid for another 24 h of 48 h'],
    ['is about to end', 48 * HOUR - 1, true, 'its token is valid for another 0 h of 48 h'],
    ['has ended', 50 * HOUR, true, 'its token ended 2 h ago'],
    ['is from the future of a clock that is behind', -HOUR, false, 'its token is valid for another 49 h of 48 h'],
  ])('that %s', (_, seconds, renew, reason) => {
    expect(decideRenewal(token(48), at(seconds))).toEqual({ renew, reason });
  });

  it('that does not expire stays', () => {
    expect(decideRenewal({ account, issuedAt: at(0), expiresAt: undefined }, at(0)).renew).toBe(false);
  });

  it('that is no ServiceAccount token is not ours to renew', () => {
    expect(decideRenewal(undefined, at(0))).toEqual({
      renew: false,
      reason: 'its credential is not the token of a ServiceAccount',
    });
  });
});

describe('the check of a token', () => {
  const { min, max } = settingDefinitions.tokenHours;

  it.each([
    [48, 360],
    [1, 7],
    [192, 1440],
    [8760, 1440],
  ])('of %i h come every %i minutes', (tokenHours, minutes) => {
    expect(tokenCheckMinutes({ tokenHours })).toBe(minutes);
  });

  it.each([min, 2, 5, 24, 48, 191, 193, max])('of %i h find it due and have time for three more', (tokenHours) => {
    expect(tokenCheckMinutes({ tokenHours }) * 4).toBeLessThanOrEqual((tokenHours * 60) / 2);
  });
});

describe('a new token', () => {
  const given = (hours: number) => complaintAbout({ token: token(hours), askedHours: 48, checkMinutes: 360 });

  it('accepts the requested lifetime', () => {
    expect(given(48)).toBeUndefined();
  });

  it('accepts a shortened lifetime if a check falls within half of it', () => {
    expect(given(12)).toBeUndefined();
  });

  it('reports a token that would expire between two checks, with the remedy', () => {
    expect(given(11)).toBe(
      'the hub gave a token of 11 h where 48 h were requested, and it is checked every 6 h only; set tokenHours to 11',
    );
  });

  it('that is none is complained about', () => {
    expect(complaintAbout({ token: undefined, askedHours: 48, checkMinutes: 360 })).toMatch(/is not the token/);
  });

  it.each([
    ['is stored', 'done', 48, 'due; renewed for 48 h'],
    ['is left if another client stored one', 'changed', 11, 'due; another client changed the connection concurrently'],
  ] as const)('%s', (_, written, hours, reason) => {
    const state = { token: token(hours), askedHours: 48, checkMinutes: 360 };
    expect(afterRenewal(written, 'due', state)).toEqual({ reason });
  });

  it('fails the renewal if it is none or too short', () => {
    const state = { askedHours: 48, checkMinutes: 360 };
    expect(() => requireToken({ ...state, token: undefined })).toThrow(/is not the token/);
    expect(() => requireToken({ ...state, token: token(11) })).not.toThrow();
    expect(() => afterRenewal('done', 'due', { ...state, token: token(11) })).toThrow(/set tokenHours to 11/);
  });
});

describe('a credential', () => {
  const credential = jwt({ sub: 'system:serviceaccount:evenkeel:evenkeel', iat: at(0) / 1000, exp: at(HOUR) / 1000 });

  it.each([
    ['is renewed at half of its lifetime', credential, HOUR / 2, credential],
    ['is kept before that', credential, 0, undefined],
    ['is kept if it is no token', 'password', HOUR, undefined],
    ['is kept if there is none', undefined, HOUR, undefined],
  ])('%s', (_, stored, seconds, from) => {
    expect(credentialToRenew(stored, at(seconds)).from).toBe(from);
  });
});
