/** Principals of the account: IAM users with one policy each, created by the account's root. */
import https from 'node:https';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type AwsEmulator, type Credentials, REGION } from '../../parts/aws-emulator.ts';

interface Grant {
  readonly Action: string;
  readonly Resource: string;
}

/** A new IAM user with only these grants. */
export async function userWith(
  emulator: AwsEmulator,
  UserName: string,
  grants: readonly Grant[],
): Promise<Credentials> {
  const Statement = grants.map((grant) => ({ Effect: 'Allow', ...grant }));
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  await iam(emulator, { Action: 'CreateUser', UserName });
  await iam(emulator, { Action: 'PutUserPolicy', UserName, PolicyName: 'own', PolicyDocument });
  const key = await iam(emulator, { Action: 'CreateAccessKey', UserName });
  return { accessKeyId: part(key, 'AccessKeyId'), secretAccessKey: part(key, 'SecretAccessKey') };
}

interface Signer {
  sign(request: object): Promise<{ readonly headers: Record<string, string> }>;
}

/** The IAM client would be a dependency for this function alone; the signer of another client can sign its calls. */
async function iam(emulator: AwsEmulator, call: Readonly<Record<string, string>>): Promise<string> {
  const { endpoint, requestHandler } = emulator.client();
  const { config } = new SQSClient(emulator.client());
  const scheme = { name: 'sigv4', signingName: 'iam', signingRegion: REGION, properties: {} };
  const signer = (await config.signer(scheme)) as unknown as Signer;
  const { hostname, port, host } = new URL(endpoint);
  const body = new URLSearchParams({ ...call, Version: '2010-05-08' }).toString();
  const request = { method: 'POST', protocol: 'https:', hostname, port: Number(port), path: '/', query: {}, body };
  const headers = { host, 'content-type': 'application/x-www-form-urlencoded' };
  const signed = await signer.sign({ ...request, headers });
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: signed.headers, agent: requestHandler.httpsAgent };
    const sent = https.request(`${endpoint}/`, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (each: Buffer) => parts.push(each));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`IAM answers ${call.Action} with ${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function part(xml: string, name: string): string {
  const found = new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)?.[1];
  if (found === undefined) throw new Error(`IAM's answer has no ${name}`);
  return found;
}
