/** Self-contained kubeconfigs. */
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { pem } from './certificates.ts';

export type User = { readonly token: string } | { readonly certificate: string; readonly key: string };

export function writeKubeconfig(file: string, to: { name: string; server: string; ca: string; user: User }): void {
  const { name, server, ca, user } = to;
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [
      {
        name,
        user:
          'token' in user
            ? user
            : { 'client-certificate-data': base64(user.certificate), 'client-key-data': base64(user.key) },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
}

/** A user of the group system:masters, with the certificate in that folder. */
export function administrator(folder: string): User {
  return { certificate: pem(folder, 'admin.crt'), key: pem(folder, 'admin.key') };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
