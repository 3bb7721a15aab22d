/** Common checks of a configuration: plain text, resources of the consumer's app, and unresolved tokens. */
import { Duration, Token } from 'aws-cdk-lib';
import { Construct } from 'constructs';

/** Whether the value is text of that format, or an unresolved token, which AWS checks. */
export function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && (Token.isUnresolved(value) || form.test(value));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the value has a property of that name: CDK interfaces have no other marker, and one app may contain two copies of its classes. */
export function isResource(value: unknown, property: string): boolean {
  return isRecord(value) && property in value;
}

/** A value for an error message, short. A construct would serialize its whole app, so its path is shown. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value instanceof Duration) return 'a Duration';
  if (Construct.isConstruct(value)) return `the construct ${value.node.path}`;
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, 80);
  } catch {
    return 'an object that is no JSON';
  }
}
