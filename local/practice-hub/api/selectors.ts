/** Field and label selectors of list and watch, as far as kubectl and controllers use them. */
import { ownValue } from '../../../shared/core/own-value.ts';
import type { KubeObject } from '../store/objects.ts';
import { badRequest } from '../store/status-error.ts';
import { fieldAt } from '../store/structural-schema.ts';

export type Matches = (object: KubeObject) => boolean;

/** Fields by = , == and != ; a field that is not selectable is rejected with the API server's message. */
export function fieldSelector(text: string, selectable: readonly string[] = []): Matches {
  const terms = text.split(',').filter((term) => term !== '');
  const all = terms.map((term): Matches => {
    const [, field, operator, value] = /^\s*([^=!\s]+)\s*(==?|!=)\s*(.*?)\s*$/.exec(term) ?? [];
    if (field === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    if (!['metadata.name', 'metadata.namespace', ...selectable].includes(field)) {
      throw badRequest(`field label not supported: ${field}`);
    }
    const path = field.split('.');
    return (object) => ((fieldAt(object, ...path) ?? '') === value) === (operator !== '!=');
  });
  return (object) => all.every((matches) => matches(object));
}

/** Equality, sets (in, notin) and existence. */
export function labelSelector(text: string): Matches {
  const terms = text.match(/(?:[^,(]|\([^)]*\))+/g) ?? [];
  const all = terms.map((term) => labelTerm(term.trim()));
  return ({ metadata }) => all.every((matches) => matches(metadata.labels ?? {}));
}

type LabelTerm = (labels: Readonly<Record<string, string>>) => boolean;

function labelTerm(term: string): LabelTerm {
  const [, setKey, negated, list] = /^([\w./-]+)\s+(not)?in\s*\(([^)]*)\)$/.exec(term) ?? [];
  if (setKey !== undefined) {
    const values = new Set(list?.split(',').map((value) => value.trim()));
    return (labels) => {
      const label = ownValue(labels, setKey);
      return (label !== undefined && values.has(label)) !== (negated !== undefined);
    };
  }
  const [, key, operator, value] = /^([\w./-]+)\s*(==?|!=)\s*([\w.-]*)$/.exec(term) ?? [];
  if (key !== undefined) {
    return (labels) => (Object.hasOwn(labels, key) && labels[key] === value) === (operator !== '!=');
  }
  const [, not, existing] = /^(!?)\s*([\w./-]+)$/.exec(term) ?? [];
  if (existing !== undefined) return (labels) => Object.hasOwn(labels, existing) === (not === '');
  throw badRequest(`unable to parse requirement: found '${term}', expected: !, identifier, or 'end of string'`);
}
