/** What a deployment is told of the ways events come in: a domain with mutual TLS, and the logs of control planes. */
import * as z from 'zod/mini';

/** A domain of one's own for the hook, where a caller shows a client certificate before it is heard. */
export interface HookDomain {
  readonly domainName: string;
  /** In ACM, for the domain, in the deployment's region. */
  readonly certificateArn: string;
  /** PEM of the CAs whose clients are let in: `s3://bucket/key`. */
  readonly truststoreUri: string;
}

const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';

const parts = {
  domainName: {
    pattern: new RegExp(`^${label}(\\.${label})+$`),
    wayOut: 'write a domain as hook.example.com',
  },
  certificateArn: {
    pattern: /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[0-9a-zA-Z-]+$/,
    wayOut: "write the ARN of the domain's certificate in ACM",
  },
  truststoreUri: {
    pattern: /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/\S+$/,
    wayOut: 'write s3://bucket/key of a PEM file',
  },
} as const;

const partNames = Object.keys(parts) as (keyof typeof parts)[];

export function wrongHook(given: unknown): readonly string[] {
  if (given === undefined) return [];
  const object = z.safeParse(z.record(z.string(), z.unknown()), given);
  if (!object.success) {
    return [`evenkeel.hook: ${shown(given)} is not an object; it has ${partNames.join(', ')}`];
  }
  const unknown = Object.keys(object.data).filter((name) => !Object.hasOwn(parts, name));
  return [
    ...unknown.map((name) => `evenkeel.hook.${name}: there is no such field (there are: ${partNames.join(', ')})`),
    ...partNames.flatMap((name) => {
      const { pattern, wayOut } = parts[name];
      const value = object.data[name];
      const right = typeof value === 'string' && value.length <= 253 && pattern.test(value);
      return right ? [] : [`evenkeel.hook.${name}: ${shown(value)} can't be used; ${wayOut}`];
    }),
  ];
}

const logGroupName = /^[.\-_/#A-Za-z0-9]{1,512}$/;

/** A log is of one hub: two that name the same would have the events of either raised for one of them. */
export function wrongAuditLogGroups(hubs: readonly unknown[]): readonly string[] {
  const groups = hubs.map((hub) => (hub as { auditLogGroup?: unknown } | null)?.auditLogGroup);
  return groups.flatMap((group, i) => {
    const field = `evenkeel.hubs[${i}].auditLogGroup`;
    if (group === undefined) return [];
    if (typeof group !== 'string' || !logGroupName.test(group)) {
      return [`${field}: ${shown(group)} is not the name of a log group; write for example /aws/eks/CLUSTER/cluster`];
    }
    const first = groups.indexOf(group);
    return first < i ? [`${field}: ${shown(group)} is that of hubs[${first}] too; a log is of one hub`] : [];
  });
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80);
}
