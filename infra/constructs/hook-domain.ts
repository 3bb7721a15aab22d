/** A domain for the hook with mutual TLS: it accepts client certificates that the truststore verifies. */
import { DomainName, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { Hook } from './deployment.ts';

export function hookDomain(scope: Construct, hook: Hook | undefined): DomainName | undefined {
  if (hook === undefined) return undefined;
  const { bucket, key } = hook.truststore;
  return new DomainName(scope, 'Domain', {
    domainName: hook.domainName,
    certificate: hook.certificate,
    securityPolicy: SecurityPolicy.TLS_1_2,
    mtls: { bucket, key },
  });
}
