import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hookKeyPair, hookToken, writeWebhookFiles } from '../../local/hook-access.ts';
import { startHookServer } from '../../local/hook-server.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hook-access-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Webhook {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
  users: [{ user: { token: string } }];
}

/** Calls the hook like an API server that was started with the file. */
async function callBy(file: string): Promise<number | undefined> {
  const { clusters, users } = parse(readFileSync(file, 'utf8')) as Webhook;
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
  const request = https.request(`${server}?timeout=30s`, {
    method: 'POST',
    ca: Buffer.from(ca, 'base64'),
    headers: { authorization: `Bearer ${users[0].user.token}` },
  });
  request.end('{}');
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('the access of a real hub to the local hook', () => {
  it('uses TLS that the written file trusts, and the token that the hook accepts', async () => {
    const tls = await hookKeyPair(folder);
    const tokens: (string | undefined)[] = [];
    const server = await startHookServer(
      [
        {
          path: '/hubs/{hub}/audit',
          handler: async ({ headers }) => {
            tokens.push(headers.authorization);
            return { statusCode: 200, body: '{}' };
          },
        },
      ],
      0,
      tls,
    );
    const to = { url: `${server.url}/hubs/hub/audit`, token: hookToken(folder), cert: tls.cert };
    expect(await callBy(writeWebhookFiles(folder, to).webhook)).toBe(200);
    expect(tokens).toEqual([`Bearer ${hookToken(folder)}`]);
    await server.close();
  });

  it('has a certificate for the address of this machine only', async () => {
    const { subject, subjectAltName } = new X509Certificate((await hookKeyPair(folder)).cert);
    expect([subject, subjectAltName]).toEqual(['CN=evenkeel local hook', 'IP Address:127.0.0.1, DNS:localhost']);
  });

  it('stays the same after a restart', async () => {
    const [token, tls] = [hookToken(folder), await hookKeyPair(folder)];
    expect(token.length).toBeGreaterThanOrEqual(32);
    expect([hookToken(folder), await hookKeyPair(folder)]).toEqual([token, tls]);
  });
});
