import { describe, expect, it } from 'vitest';
import { HubRecords } from '../../../shared/aws/hub-records.ts';
import { RegistryHookAccess } from '../../../shared/aws/registry-hook-access.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { callersOf } from '../../../shared/kubernetes/hook-callers.ts';
import { paused } from '../../../shared/kubernetes/hub-record.ts';
import type { HubRecord } from '../../../shared/kubernetes/hub-registry.ts';
import { registryAuditLogs } from '../../../shared/runtime/audit-logs.ts';
import { hubRecord } from '../../fakes/hub-records.ts';
import { MemoryHubRegistry } from '../../fakes/stores/memory-hub-registry.ts';

const throttled = new Fault('limited', 'DynamoDB: ThrottlingException: slow down', { reason: 'ThrottlingException' });
const invalid = new Fault('terminal', 'the record of hub karmada cannot be used', { reason: 'InvalidHubRecord' });
const token = 'a-token-of-some-length';

function scene() {
  const registry = new MemoryHubRegistry(
    hubRecord('edge', { auditLogGroup: '/aws/eks/edge/cluster' }),
    hubRecord('karmada', { account: 'us', callers: callersOf('karmada', { hookTokens: [token] }) }),
    hubRecord('leaving', { state: 'Removing', account: 'us', auditLogGroup: '/aws/eks/leaving/cluster' }),
  );
  const reads: string[] = [];
  const stale: Fault[] = [];
  const made = { now: 0, failure: undefined as Fault | undefined };
  const failing = async <T>(what: string, read: () => Promise<T>): Promise<T> => {
    reads.push(what);
    if (made.failure) throw made.failure;
    return read();
  };
  const records = new HubRecords({
    registry: {
      read: (name) => failing(name, () => registry.read(name)),
      list: () => failing('all', () => registry.list()),
    },
    now: () => made.now,
    onStale: (fault) => stale.push(fault),
  });
  const change = async (name: string, to: (record: HubRecord) => HubRecord): Promise<void> => {
    const record = await registry.read(name);
    if (record) await registry.write(to(record), record.revision);
  };
  return Object.assign(made, { registry, records, reads, stale, change, access: new RegistryHookAccess(records) });
}

describe('the record of a hub', () => {
  it('is read once in five seconds, also by concurrent callers', async () => {
    const s = scene();
    await Promise.all([s.records.of('karmada'), s.records.of('karmada'), s.records.of('karmada')]);
    await s.change('karmada', (record) => paused(record, { since: 0, reason: '' }));
    s.now = 4999;
    expect(await s.records.of('karmada')).not.toHaveProperty('pause');
    expect(s.reads).toEqual(['karmada']);
    s.now = 5000;
    expect(await s.records.of('karmada')).toMatchObject({ pause: { since: 0 }, revision: 2 });
    expect(s.reads).toEqual(['karmada', 'karmada']);
  });

  it('is read again by a caller that has to verify it', async () => {
    const s = scene();
    await s.records.of('karmada');
    await s.change('karmada', (record) => ({ ...record, account: 'another' }));
    expect(await s.records.verified('karmada')).toMatchObject({ account: 'another' });
    expect(await s.records.of('karmada')).toMatchObject({ account: 'another' });
    expect(s.reads).toEqual(['karmada', 'karmada']);
  });

  it('comes from a list that was read, but not from a list that began before a later read of it', async () => {
    const s = scene();
    await s.records.active();
    await s.records.of('karmada');
    expect(s.reads).toEqual(['all']);
    let go = (_: readonly HubRecord[]): void => undefined;
    const slow = new HubRecords({
      registry: { read: (name) => s.registry.read(name), list: () => new Promise((resolve) => (go = resolve)) },
      now: () => s.now++,
      onStale: () => undefined,
    });
    const listing = slow.active();
    const before = await s.registry.list();
    await s.change('karmada', (record) => ({ ...record, account: 'another' }));
    await slow.of('karmada');
    go(before);
    await listing;
    expect(await slow.of('karmada')).toMatchObject({ account: 'another' });
  });

  it('is used for a minute while the registry cannot be read, and reported at each failed read', async () => {
    const s = scene();
    await s.records.of('karmada');
    s.failure = throttled;
    s.now = 5000;
    expect(await s.records.of('karmada')).toMatchObject({ name: 'karmada' });
    expect(await s.records.of('karmada')).toMatchObject({ name: 'karmada' });
    expect([s.reads.length, s.stale]).toEqual([2, [throttled]]);
    s.now = 59_999;
    expect(await s.records.of('karmada')).toMatchObject({ name: 'karmada' });
    s.now = 65_000;
    await expect(s.records.of('karmada')).rejects.toBe(throttled);
    s.failure = undefined;
    expect(await s.records.of('karmada')).toMatchObject({ name: 'karmada' });
  });

  it('that was never read is not guessed while the registry cannot be read: the error is retryable', async () => {
    const s = scene();
    s.failure = throttled;
    await expect(s.records.of('karmada')).rejects.toMatchObject({ retryClass: 'limited' });
    await expect(s.records.active()).rejects.toMatchObject({ retryClass: 'limited' });
  });

  it('that became invalid is not used from the cache', async () => {
    const s = scene();
    await s.records.of('karmada');
    s.failure = invalid;
    s.now = 5000;
    await expect(s.records.of('karmada')).rejects.toBe(invalid);
  });

  it('is not sought for a name that no hub can have', async () => {
    const s = scene();
    for (const name of ['', 'No Hub', 'a'.repeat(2000), '../x', 'constructor.'])
      expect(await s.records.of(name)).toBe(undefined);
    expect(s.reads).toEqual([]);
  });
});

describe('unknown hubs', () => {
  it('are cached as well, until they are registered', async () => {
    const s = scene();
    expect([await s.records.of('new'), await s.records.of('new')]).toEqual([undefined, undefined]);
    expect(s.reads).toEqual(['new']);
    await s.registry.write(hubRecord('new'), 0);
    expect(await s.records.verified('new')).toMatchObject({ name: 'new' });
    expect(await s.records.of('new')).toMatchObject({ name: 'new' });
  });

  it('do not evict records: after a scan of 5,000 names a known hub is not read again', async () => {
    const s = scene();
    await s.records.of('karmada');
    for (let i = 0; i < 5000; i++) await s.records.of(`scan-${i}`);
    await s.records.of('karmada');
    expect(s.reads.filter((name) => name === 'karmada')).toHaveLength(1);
    // The last thousand are known to be unknown, the first no more.
    await s.records.of('scan-4999');
    await s.records.of('scan-4000');
    await s.records.of('scan-0');
    expect(s.reads.slice(-1)).toEqual(['scan-0']);
    expect(s.reads).toHaveLength(5002);
  });
});

describe('the hook', () => {
  const caller = { bearer: token, subject: '' };

  it('accepts a caller of the hub and no caller of another, an unknown or a removed hub', async () => {
    const { access } = scene();
    expect(await access.mayRaiseEvents('karmada', caller)).toBe(true);
    for (const hub of ['edge', 'unknown', 'leaving', 'constructor', '../karmada'])
      expect(await access.mayRaiseEvents(hub, caller)).toBe(false);
  });

  it('gets the account of an active hub', async () => {
    const { access } = scene();
    expect(await access.accountOf('karmada')).toBe('us');
    expect(await access.accountOf('leaving')).toBe(undefined);
  });

  it('rejects a token five seconds after it was taken out of the record', async () => {
    const s = scene();
    expect(await s.access.mayRaiseEvents('karmada', caller)).toBe(true);
    await s.change('karmada', (record) => ({ ...record, callers: callersOf('karmada', { hookTokens: [] }) }));
    s.now = 5000;
    expect(await s.access.mayRaiseEvents('karmada', caller)).toBe(false);
  });
});

describe('a log group', () => {
  it('belongs to the active hub that names it', async () => {
    const logs = registryAuditLogs(scene().records);
    expect(await logs.hubOf('/aws/eks/edge/cluster')).toBe('edge');
    expect(await logs.hubOf('/aws/eks/leaving/cluster')).toBe(undefined);
    expect(await logs.hubOf('/aws/eks/other/cluster')).toBe(undefined);
  });

  it('is found within a second after its hub was registered, with at most one list a second', async () => {
    const s = scene();
    const logs = registryAuditLogs(s.records);
    expect(await logs.hubOf('/aws/eks/new/cluster')).toBe(undefined);
    await s.registry.write(hubRecord('new', { auditLogGroup: '/aws/eks/new/cluster' }), 0);
    s.now = 999;
    expect(await logs.hubOf('/aws/eks/new/cluster')).toBe(undefined);
    expect(s.reads).toEqual(['all']);
    s.now = 1000;
    expect(await logs.hubOf('/aws/eks/new/cluster')).toBe('new');
    expect(await logs.hubOf('/aws/eks/edge/cluster')).toBe('edge');
    expect(s.reads).toEqual(['all', 'all']);
  });

  it('is found in the last list for a minute while the registry cannot be read', async () => {
    const s = scene();
    const logs = registryAuditLogs(s.records);
    await logs.hubOf('/aws/eks/edge/cluster');
    s.failure = throttled;
    s.now = 59_999;
    expect(await logs.hubOf('/aws/eks/edge/cluster')).toBe('edge');
    s.now = 70_000;
    await expect(logs.hubOf('/aws/eks/edge/cluster')).rejects.toBe(throttled);
  });
});
