/** What the hub API promises of RebalancePolicy, a CRD with defaults, rules in CEL and a status. */
import { afterAll, describe, expect, it } from 'vitest';
import { parseRebalancePolicy } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import { policyOf, rejected, taken } from '../../shared/rebalance-policy/policy-cases.ts';
import { causesOf, columnsOf, ownCauses, type Table } from './answers.ts';
import { type Body, type HubClient, TABLE } from './client.ts';

const POLICIES = '/apis/evenkeel.dev/v1alpha1/rebalancepolicies';

const suspended = { suspend: true, triggers: { capacityFreed: {} } };

export function rebalancePolicyContract(client: () => HubClient): void {
  /** As a dry run, which is validated and defaulted like any other write: no policy is left behind. */
  const tryOut = (spec: object, name = client().name('policy')) =>
    client().send('POST', `${POLICIES}?fieldValidation=Strict&dryRun=All`, policyOf(name, spec));

  const made: string[] = [];

  async function create(): Promise<Body> {
    const name = client().name('policy');
    const { code, body } = await client().send('POST', POLICIES, policyOf(name, suspended));
    expect(code).toBe(201);
    made.push(`${POLICIES}/${name}`);
    return body;
  }

  describe('a RebalancePolicy', () => {
    afterAll(async () => {
      for (const path of made) await client().send('DELETE', path);
    });

    it.each(taken)('is accepted with $description', async ({ spec, stored }) => {
      const { code, body } = await tryOut(spec);
      expect([code, body.spec]).toEqual([201, stored]);
      // The functions read with the same schema, so they fill in the same.
      const metadata = { ...body.metadata, resourceVersion: '1' };
      expect(parseRebalancePolicy({ ...body, metadata, spec }).spec).toEqual(stored);
    });

    it.each(rejected)('is rejected with $description, each field named', async ({ spec, causes }) => {
      const { code, body } = await tryOut(spec);
      expect([code, causesOf(body)]).toEqual([422, causes]);
    });

    it('is not validated further if a field is missing', async () => {
      const { body } = await tryOut({ strategy: { coolDown: '999h' } });
      // kube-apiserver 1.33 and older write "null".
      expect(body.message).toMatch(
        /spec\.triggers: Required value, <nil>: Invalid value: ("null"|null): some validation rules were not checked because the object was invalid/,
      );
    });

    it('is rejected with a name too long for the names of its waves', async () => {
      const long = 'x'.repeat(43);
      const { code, body } = await tryOut(suspended, long);
      expect([code, causesOf(body)]).toEqual([
        422,
        [
          `metadata.name: Invalid value: metadata.name is ${long}; give it a name of at most 42 characters, for the names of its waves begin with it`,
        ],
      ]);
      expect((await tryOut(suspended, 'x'.repeat(42))).code).toBe(201);
    });

    it('is rejected with an unknown field', async () => {
      const { code, body } = await tryOut({ ...suspended, strategy: { waves: { many: 3 } } });
      expect(code).toBe(400);
      expect(body.message).toContain('strict decoding error: unknown field "spec.strategy.waves.many"');
    });

    it('has null fields removed before validation: a trigger needs {}', async () => {
      const nothing = await tryOut({ triggers: { clusterRecovered: null } });
      expect(nothing.body.message).toContain('spec.triggers is empty');
      const { body } = await tryOut({
        suspend: null,
        triggers: { clusterRecovered: { stableFor: null } },
        strategy: null,
      });
      expect(body.spec).toEqual(taken[0]?.stored);
    });

    it('is edited by a patch, which is validated like a create', async () => {
      const { metadata } = await create();
      const path = `${POLICIES}/${metadata.name}`;
      const edited = await client().merge(path, { spec: { strategy: { waves: { size: 10 } } } });
      expect(edited.body).toMatchObject({
        metadata: { generation: 2 },
        spec: { strategy: { waves: { size: 10, pause: '0s', readyWithin: '10m' } } },
      });
      const { code, body } = await client().merge(path, { spec: { strategy: { waves: { percent: 10 } } } });
      expect([code, causesOf(body)]).toEqual([
        422,
        ['spec.strategy.waves: Invalid value: spec.strategy.waves has both size and percent; write one of them'],
      ]);
    });

    it('has a status that only its own path writes, and columns that show it', async () => {
      const { metadata } = await create();
      const path = `${POLICIES}/${metadata.name}`;
      const counts = { waves: 4, wavesDone: 1, workloads: 200, moved: 60, skipped: 3 };
      const lastRun = { name: 'r1', triggers: ['clusterJoined'], state: 'Running', startedAt: '2026-01-01T00:00:00Z' };
      const status = { state: 'Running', lastRun: { ...lastRun, ...counts }, nextScheduleTime: '2026-01-02T03:00:00Z' };
      await client().merge(path, { status });
      expect((await client().get(path)).body.status).toBeUndefined();
      const written = await client().merge(`${path}/status`, { status, spec: { suspend: false } });
      expect(written.body).toMatchObject({ metadata: { generation: 1 }, spec: { suspend: true }, status });
      const { body } = await client().get(path, TABLE);
      const { columnDefinitions, rows } = body as unknown as Table;
      expect(columnsOf(columnDefinitions)).toBe(
        'Name STATE LAST-RUN WAVES DONE MOVED SUSPEND (DRY-RUN) (SKIPPED) (MESSAGE) NEXT AGE',
      );
      expect(rows[0]?.cells.slice(0, -1)).toEqual([
        metadata.name,
        'Running',
        'Running',
        4,
        1,
        60,
        true,
        false,
        3,
        null,
        status.nextScheduleTime,
      ]);
      expect(rows[0]?.cells.at(-1)).toMatch(/^\d+s$/);
    });

    it('has a status whose fields are checked', async () => {
      const { metadata } = await create();
      const { code, body } = await client().merge(`${POLICIES}/${metadata.name}/status`, { status: { state: 3 } });
      expect([code, ownCauses(body).map(({ field, reason }) => `${field} ${reason}`)]).toEqual([
        422,
        ['status.state FieldValueTypeInvalid'],
      ]);
    });
  });
}
