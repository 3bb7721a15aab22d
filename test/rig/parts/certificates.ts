/** The certificates of one API server: a CA and the certificates that it signs. Created once per rig. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate, type SelfsignedOptions } from 'selfsigned';

/** Where API servers listen: a loopback address other than 127.0.0.1, whose https the AWS emulator turns into http for its functions. */
export const ADDRESS = '127.0.0.2';

const SERVER_NAMES = [
  'localhost',
  'kubernetes.default.svc',
  'karmada-aggregated-apiserver.karmada-system.svc',
  'karmada-metrics-adapter.karmada-system.svc',
  'karmada-webhook.karmada-system.svc',
];

type Extensions = NonNullable<SelfsignedOptions['extensions']>;

const common: SelfsignedOptions = {
  keyType: 'ec',
  algorithm: 'sha256',
  notAfterDate: new Date(Date.now() + 10 * 365 * 24 * 3_600_000),
};

/** In `folder`: ca, server, admin, proxy as .crt and .key, and sa.key for ServiceAccount tokens. */
export async function makeCertificates(folder: string): Promise<void> {
  if (existsSync(join(folder, 'sa.key'))) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const authority = await pair(
    [{ name: 'commonName', value: 'evenkeel-rig' }],
    [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
    ],
  );
  save(folder, 'ca', authority);
  const leaf = async (name: string, subject: Subject, usage: 'serverAuth' | 'clientAuth') => {
    const extensions: Extensions = [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', [usage]: true },
      { name: 'subjectAltName', altNames: usage === 'serverAuth' ? serverNames() : [{ type: 2, value: name }] },
    ];
    save(folder, name, await pair(subject, extensions, authority));
  };
  await leaf('server', [{ name: 'commonName', value: 'kube-apiserver' }], 'serverAuth');
  await leaf('proxy', [{ name: 'commonName', value: 'front-proxy-client' }], 'clientAuth');
  await leaf(
    'admin',
    [
      { name: 'organizationName', value: 'system:masters' },
      { name: 'commonName', value: 'admin' },
    ],
    'clientAuth',
  );
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
}

export function pem(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}

type Subject = readonly { readonly name: string; readonly value: string }[];

interface Pair {
  readonly key: string;
  readonly cert: string;
}

async function pair(subject: Subject, extensions: Extensions, ca?: Pair): Promise<Pair> {
  const { private: key, cert } = await generate([...subject], { ...common, extensions, ...(ca && { ca }) });
  return { key, cert };
}

function serverNames() {
  return [
    ...SERVER_NAMES.map((value) => ({ type: 2 as const, value })),
    ...['127.0.0.1', ADDRESS].map((ip) => ({ type: 7 as const, ip })),
  ];
}

function save(folder: string, name: string, { key, cert }: Pair): void {
  writeFileSync(join(folder, `${name}.key`), key, { mode: 0o600 });
  writeFileSync(join(folder, `${name}.crt`), cert);
}
