/** What the hub API promises of ConfigMaps, Secrets and Pods, which manifests of workloads contain. */
import { describe, expect, it } from 'vitest';
import { columnsOf, type Table } from './answers.ts';
import { type Body, type HubClient, TABLE } from './client.ts';

interface SecretBody extends Body {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

const inDefault = (plural: string) => `/api/v1/namespaces/default/${plural}`;
const object = (kind: string, name: string, rest: object) => ({ apiVersion: 'v1', kind, metadata: { name }, ...rest });
const inBase64 = (text: string) => Buffer.from(text).toString('base64');

export function coreObjectContract(client: () => HubClient): void {
  const tableOf = async (path: string) => (await client().get(path, TABLE)).body as unknown as Table;

  describe('a ConfigMap', () => {
    it('is stored as it is, and its table counts data and binaryData', async () => {
      const name = client().name('settings');
      const given = { data: { a: 'b', c: 'd' }, binaryData: { e: inBase64('f') } };
      const { code, body } = await client().send('POST', inDefault('configmaps'), object('ConfigMap', name, given));
      expect(code).toBe(201);
      expect(body).toMatchObject(given);
      const { columnDefinitions, rows } = await tableOf(`${inDefault('configmaps')}/${name}`);
      expect(columnsOf(columnDefinitions)).toBe('Name Data Age');
      expect(rows[0]?.cells.slice(0, 2).map(String)).toEqual([name, '3']);
    });
  });

  describe('a Secret', () => {
    it('has stringData merged into data in base64, at creation and by a patch, and is Opaque by default', async () => {
      const name = client().name('password');
      const given = { data: { a: inBase64('old'), b: inBase64('kept') }, stringData: { a: 'new' } };
      const created = await client().send('POST', inDefault('secrets'), object('Secret', name, given));
      expect(created.code).toBe(201);
      expect(created.body).toMatchObject({ type: 'Opaque', data: { a: inBase64('new'), b: inBase64('kept') } });
      expect(created.body).not.toHaveProperty('stringData');
      const path = `${inDefault('secrets')}/${name}`;
      const patched = await client().merge(path, { stringData: { c: 'added' } });
      expect((patched.body as SecretBody).data).toEqual({
        a: inBase64('new'),
        b: inBase64('kept'),
        c: inBase64('added'),
      });
      expect(patched.body).not.toHaveProperty('stringData');
      const { columnDefinitions, rows } = await tableOf(path);
      expect(columnsOf(columnDefinitions)).toBe('Name Type Data Age');
      expect(rows[0]?.cells.slice(0, 3).map(String)).toEqual([name, 'Opaque', '3']);
    });
  });

  describe('a Pod', () => {
    it('is Pending once it is created, and its table counts its containers', async () => {
      const name = client().name('shell');
      const spec = { containers: [{ name: 'shell', image: 'busybox' }], automountServiceAccountToken: false };
      const { code, body } = await client().send('POST', inDefault('pods'), object('Pod', name, { spec }));
      expect(code).toBe(201);
      expect(body.status).toMatchObject({ phase: 'Pending' });
      const { columnDefinitions, rows } = await tableOf(`${inDefault('pods')}/${name}`);
      expect(columnsOf(columnDefinitions)).toBe(
        'Name Ready Status Restarts Age (IP) (Node) (Nominated Node) (Readiness Gates)',
      );
      expect(rows[0]?.cells.slice(0, 4)).toEqual([name, '0/1', 'Pending', '0']);
    });
  });
}
