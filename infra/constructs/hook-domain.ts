/** A domain before the hook that asks every caller for a client certificate, and lets in those that the truststore vouches for. */
import { DomainName, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { HookDomain } from '../hook-config.ts';

export function hookDomain(scope: Construct, hook: HookDomain | undefined): DomainName | undefined {
  if (hook === undefined) return undefined;
  const { hostname: bucket, pathname } = new URL(hook.truststoreUri);
  return new DomainName(scope, 'Domain', {
    domainName: hook.domainName,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', hook.certificateArn),
    securityPolicy: SecurityPolicy.TLS_1_2,
    mtls: { bucket: Bucket.fromBucketName(scope, 'Truststore', bucket), key: pathname.slice(1) },
  });
}
