/** The hook's own domain, with mutual TLS. */
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { isRecord, isResource, isText, show } from './given.ts';

/** In ACM in the deployment's region, for the domain. */
type HookCertificate =
  | { readonly certificate: ICertificate; readonly certificateArn?: undefined }
  | { readonly certificateArn: string; readonly certificate?: undefined };

/** A PEM file of the CAs of accepted clients; `s3://bucket/key` in cdk.json. */
type HookTruststore =
  | { readonly truststore: Truststore; readonly truststoreUri?: undefined }
  | { readonly truststoreUri: string; readonly truststore?: undefined };

export interface Truststore {
  readonly bucket: IBucket;
  readonly key: string;
}

/** A custom domain for the hook, which requires a client certificate of each caller. */
export type HookDomain = { readonly domainName: string } & HookCertificate & HookTruststore;

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const domain = new RegExp(`^(?=.{1,253}$)${label}(\\.${label})+$`);
const certificateArn = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[0-9a-zA-Z-]+$/;
/** The bucket's name may be an unresolved token within the text. */
export const truststoreUri = /^s3:\/\/(?<bucket>[^/\s]+)\/(?<key>\S+)$/;
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const known = ['domainName', 'certificateArn', 'truststoreUri', 'certificate', 'truststore'];

/** Errors in the optional field `hook`. */
export function wrongHook(given: unknown): readonly string[] {
  if (given === undefined) return [];
  if (!isRecord(given))
    return [`evenkeel.hook: ${show(given)} is not an object; it has ${known.slice(0, 3).join(', ')}`];
  return [
    ...Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => `evenkeel.hook.${name}: there is no such field (there are: ${known.join(', ')})`),
    ...(isText(given.domainName, domain)
      ? []
      : [unusable('domainName', given.domainName, 'write a domain as hook.example.com')]),
    ...wrongCertificate(given),
    ...wrongTruststore(given),
  ];
}

function wrongCertificate({ certificate, certificateArn: arn }: Readonly<Record<string, unknown>>): readonly string[] {
  if (certificate === undefined)
    return isText(arn, certificateArn)
      ? []
      : [unusable('certificateArn', arn, "write the ARN of the domain's certificate in ACM")];
  if (arn !== undefined) return ['evenkeel.hook.certificateArn: may not be set beside certificate'];
  return isResource(certificate, 'certificateArn')
    ? []
    : [unusable('certificate', certificate, 'use Certificate.fromCertificateArn, or set certificateArn')];
}

function wrongTruststore({ truststore, truststoreUri: uri }: Readonly<Record<string, unknown>>): readonly string[] {
  if (truststore === undefined) {
    const bucket = isText(uri, truststoreUri) ? truststoreUri.exec(uri)?.groups?.bucket : undefined;
    return isText(bucket, bucketName)
      ? []
      : [unusable('truststoreUri', uri, 'write s3://bucket/key of a PEM file, or set truststore')];
  }
  if (uri !== undefined) return ['evenkeel.hook.truststoreUri: may not be set beside truststore'];
  if (!isRecord(truststore)) return [unusable('truststore', truststore, 'write { bucket, key } of a PEM file')];
  return [
    ...(isResource(truststore.bucket, 'bucketName')
      ? []
      : [unusable('truststore.bucket', truststore.bucket, 'use Bucket.fromBucketName')]),
    ...(isText(truststore.key, /\S/)
      ? []
      : [unusable('truststore.key', truststore.key, 'write the key of a PEM file in the bucket')]),
  ];
}

function unusable(field: string, value: unknown, remedy: string): string {
  return `evenkeel.hook.${field}: ${show(value)} can't be used; ${remedy}`;
}
