/** Validates an object of Evenkeel's own kinds from a file: by its schema, its rules and its parser. */
import { compileRules } from '../../shared/admission/evaluate-rules.ts';
import { count } from '../../shared/core/count.ts';
import type { KindRule } from '../../shared/kubernetes/crd-fields.ts';
import { type Issue, issueWrong, schemaIssues, show, valueAt, type Wrong } from './check-object.ts';

export interface WrittenKind<T extends { readonly spec: object }> {
  readonly kind: string;
  readonly plural: string;
  /** CEL rules over the whole object, named `object`. */
  readonly rules: readonly KindRule[];
  readonly parse: (object: object) => T;
  /** Problems that neither schema nor rules express; each begins with its field. */
  readonly problemsOf?: (read: T) => readonly string[];
  /** The expected format of a text field, by the field's name: "a duration; write one like 5m". */
  readonly forms: Readonly<Record<string, string>>;
}

export type Checked<T> = { readonly read: T } | { readonly wrong: readonly Wrong[] };

const always = { name: 'always', expression: 'true' };

export function checkerOf<T extends { readonly spec: object }>(kind: WrittenKind<T>): (object: object) => Checked<T> {
  const rules = kind.rules.map((rule) => ({
    field: rule.field,
    find: compileRules({ when: always, variables: [], rules: [rule] }),
  }));
  return (object) => {
    const parsed = parse(kind, object);
    // The last issue of a field is the most specific: a cron that is too short also lacks its five fields.
    if ('issues' in parsed) {
      const ofField = new Map(parsed.issues.map((issue) => [issue.path.join('.'), fieldIssue(issue, object, kind)]));
      return { wrong: [...ofField.values()] };
    }
    const { read } = parsed;
    const rejected = rules.flatMap(({ field, find }) => {
      const { rejection } = find({ object, oldObject: null });
      return rejection === undefined ? [] : [{ path: field.split('.'), what: withoutField(rejection) }];
    });
    const wrong = [
      ...unknownFields({ raw: specOf(object), read: read.spec, path: ['spec'] }, kind),
      ...rejected,
      ...(kind.problemsOf?.(read) ?? []).map((problem) => ({ path: pathOf(problem), what: withoutField(problem) })),
    ];
    return wrong.length > 0 ? { wrong } : { read };
  };
}

function parse<T extends { readonly spec: object }>(
  kind: WrittenKind<T>,
  object: object,
): { readonly read: T } | { readonly issues: readonly Issue[] } {
  try {
    return { read: kind.parse(object) };
  } catch (thrown) {
    const issues = schemaIssues(thrown);
    if (issues === undefined) throw thrown;
    return { issues };
  }
}

/** Issues of the kind's own schema; the others as for any object. */
function fieldIssue(issue: Issue, object: object, { forms }: Pick<WrittenKind<never>, 'forms'>): Wrong {
  const { path, code, values, minimum = 0, maximum = 0, origin } = issue;
  const value = valueAt(object, path);
  if (value === undefined) return issueWrong(issue, object);
  const shown = show(value);
  const what = origin === 'string' ? 'character' : 'item';
  const least = origin === 'number' ? `${minimum} or more` : `at least ${count(minimum, what)}`;
  const most = origin === 'number' ? `${maximum} or less` : `at most ${count(maximum, what)}`;
  switch (code) {
    case 'invalid_value':
      return { path, what: `${shown} is none of ${(values ?? []).join(', ')}; write one of them` };
    case 'too_small':
      return { path, what: `${shown} is too small; write ${least}` };
    case 'too_big':
      return { path, what: `${shown} is too large; write ${most}` };
    case 'invalid_format':
      return { path, what: `${shown} is not ${forms[String(path.at(-1))] ?? 'of that form; write another text'}` };
    default:
      return issueWrong(issue, object);
  }
}

interface ComparedObjects {
  readonly raw: unknown;
  readonly read: unknown;
  readonly path: readonly PropertyKey[];
}

/** Unknown fields: kubectl rejects them, and an API server prunes them silently. */
function unknownFields(
  { raw, read, path }: ComparedObjects,
  kind: Pick<WrittenKind<never>, 'kind' | 'plural'>,
): readonly Wrong[] {
  if (typeof raw !== 'object' || raw === null || typeof read !== 'object' || read === null) return [];
  return Object.entries(raw).flatMap(([name, value]) => {
    const at = [...path, name];
    if (Object.hasOwn(read, name))
      return unknownFields({ raw: value, read: (read as Record<string, unknown>)[name], path: at }, kind);
    const known = `kubectl explain ${kind.plural}.${path.filter((step) => !/^\d+$/.test(String(step))).join('.')}`;
    return [{ path: at, what: `is no field of ${article(kind.kind)}; take it out, or see "${known}"` }];
  });
}

function article(kind: string): string {
  return `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

function specOf(object: object): unknown {
  return (object as { spec?: unknown }).spec;
}

/** A finding begins with its field: "spec.triggers.schedule.cron is …", "spec.strategy.order: label …". */
function pathOf(finding: string): readonly PropertyKey[] {
  const [field = ''] = finding.split(/:? /);
  return field.split(/[.[\]]+/).filter((step) => step !== '');
}

function withoutField(finding: string): string {
  return finding.replace(/^\S+ /, '');
}
