/** The tokens and the certificate of a local hook: created once and kept in its folder, so that a hub's webhook is still accepted after a restart. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { auditPolicy, webhookKubeconfig } from '../shared/manifests/audit.ts';
import { writeWhole } from './whole-file.ts';

export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

const YEAR_MS = 365 * 24 * 3600 * 1000;
const PRIVATE = { mode: 0o600 };

export function hookToken(folder: string): string {
  const file = join(folder, 'hook-token');
  if (!existsSync(file)) writeWhole(file, randomBytes(24).toString('base64url'), PRIVATE);
  return readFileSync(file, 'utf8').trim();
}

/** TLS for the hook. An API server sends no token over plain HTTP. */
export async function hookKeyPair(folder: string): Promise<KeyPair> {
  const file = join(folder, 'hook-tls.json');
  if (!existsSync(file)) writeWhole(file, JSON.stringify(await loopbackKeyPair('evenkeel local hook')), PRIVATE);
  return JSON.parse(readFileSync(file, 'utf8')) as KeyPair;
}

/** A self-signed certificate for the loopback address. */
export async function loopbackKeyPair(name: string): Promise<KeyPair> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + YEAR_MS),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
  return { key, cert };
}

export interface WebhookFiles {
  readonly webhook: string;
  readonly policy: string;
}

/** Writes the files for the hub's API server: --audit-webhook-config-file and --audit-policy-file. */
export function writeWebhookFiles(folder: string, to: { url: string; token: string; cert: string }): WebhookFiles {
  const files = { webhook: join(folder, 'audit-webhook.yaml'), policy: join(folder, 'audit-policy.yaml') };
  writeFileSync(files.webhook, webhookKubeconfig({ server: to.url, user: { token: to.token }, ca: to.cert }), PRIVATE);
  writeFileSync(files.policy, auditPolicy());
  return files;
}
