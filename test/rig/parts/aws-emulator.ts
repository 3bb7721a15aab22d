/**
 * AWS, emulated by MiniStack: over TLS, with IAM enforced from the first request, in one account whose root credentials this process uses.
 * Functions run as Node processes on this machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { miniStack } from '../cache/ministack.ts';
import { RigFailure } from '../failure.ts';
import type { Rig } from '../rig.ts';
import { makeCertificates, pem } from './certificates.ts';

/** Requests signed with an account's number as access key are its root's. */
export const ACCOUNT_ID = '000000000000';
export const REGION = 'us-east-1';
const SECRET_KEY = 'test';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The configuration of an AWS SDK client. */
export interface ClientConfig {
  readonly region: string;
  readonly endpoint: string;
  readonly credentials: Credentials;
  readonly requestHandler: { readonly httpsAgent: https.Agent };
}

export interface AwsEmulator {
  /** The pid of this start: the state ends with the process. */
  readonly pid: number;
  readonly port: number;
  /** The certificate authority that its clients are to trust. */
  readonly caFile: string;
  /** One line a request: the principal, the action and the resource, and whether IAM allowed it. */
  readonly decisionsFile: string;
  /** The environment variables with which a tool reaches it as the root of the account. */
  readonly environment: Readonly<Record<string, string>>;
  client(credentials?: Credentials): ClientConfig;
}

const root: Credentials = { accessKeyId: ACCOUNT_ID, secretAccessKey: SECRET_KEY };

export async function startAwsEmulator(rig: Rig): Promise<AwsEmulator> {
  const folder = rig.path('aws');
  await rig.once('aws certificates', () => makeCertificates(folder));
  const port = await rig.port('aws');
  const endpoint = `https://127.0.0.1:${port}`;
  const caFile = join(folder, 'ca.crt');
  const decisionsFile = join(folder, 'iam-decisions.jsonl');
  const httpsAgent = new https.Agent({ ca: pem(folder, 'ca.crt'), keepAlive: true });
  await rig.start({
    name: 'aws',
    command: await miniStack(),
    env: { ...serverEnvironment(rig, port), EVENKEEL_RIG_IAM_DECISIONS: decisionsFile },
    ready: () => isHealthy(`${endpoint}/_ministack/health`, httpsAgent),
  });
  const pid = rig.processes.pid('aws');
  if (pid === undefined) throw new RigFailure('the AWS emulator ended right after its start');
  return {
    pid,
    port,
    caFile,
    decisionsFile,
    environment: { ...clientEnvironment(endpoint), AWS_CA_BUNDLE: caFile, NODE_EXTRA_CA_CERTS: caFile },
    client: (credentials = root) => ({ region: REGION, endpoint, credentials, requestHandler: { httpsAgent } }),
  };
}

/** It writes only to the rig's folder, and does not use Docker on this machine. */
function serverEnvironment(rig: Rig, port: number): Record<string, string> {
  const folder = rig.path('aws');
  const scratch = join(folder, 'tmp');
  mkdirSync(scratch, { recursive: true });
  return {
    ...ownCredentials,
    GATEWAY_PORT: String(port),
    BIND_HOST: '127.0.0.1',
    MINISTACK_HOST: 'localhost',
    MINISTACK_REGION: REGION,
    AUTH: 'true',
    USE_SSL: '1',
    MINISTACK_SSL_CERT: join(folder, 'server.crt'),
    MINISTACK_SSL_KEY: join(folder, 'server.key'),
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt'),
    LAMBDA_EXECUTOR: 'local',
    PERSIST_STATE: '0',
    TMPDIR: scratch,
    S3_DATA_DIR: join(scratch, 's3'),
    DOCKER_HOST: 'unix:///nonexistent',
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
    // The declared runtime is ignored: functions run on the first node of PATH.
    PATH: `${politeNode(rig)}:${process.env.PATH ?? ''}`,
    NODE_OPTIONS: '',
    // The launcher's modules are in the repository, which must not get compiled files.
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

/**
 * A folder with a `node` of lower priority than that of the emulator and the API servers, which all functions wait for. With equal priorities, the starts of
 * some dozen functions on a busy machine slowed those down until the functions ran into their time limits, were killed, and started again.
 */
function politeNode(rig: Rig): string {
  const folder = rig.path('aws', 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'node'), `#!/bin/sh\nexec nice -n 10 '${process.execPath}' "$@"\n`, { mode: 0o755 });
  return folder;
}

/** Keeps the user's own AWS credentials and configuration out of reach. */
const ownCredentials = {
  AWS_ACCESS_KEY_ID: root.accessKeyId,
  AWS_SECRET_ACCESS_KEY: root.secretAccessKey,
  AWS_SESSION_TOKEN: '',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};

function clientEnvironment(endpoint: string): Record<string, string> {
  return {
    ...ownCredentials,
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
  };
}

function isHealthy(url: string, agent: https.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    https
      .get(url, { agent }, (response) => {
        response.resume();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answers ${response.statusCode}`));
      })
      .on('error', reject);
  });
}
