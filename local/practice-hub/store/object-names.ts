/** The name of an object that is created: its own, or one made from generateName. For the store. */
import type { KindDefinition } from './kind-definition.ts';
import { nameFlaws, type SubmittedMetadata } from './metadata-rules.ts';
import { invalid } from './status-error.ts';

/** Letters that form no words, as the API server takes for generated names. */
const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Throws 422 where there is neither. The uid is the source of chance. */
export function chooseName(kind: KindDefinition, metadata: SubmittedMetadata, uid: string): string {
  const { name: given, generateName } = metadata;
  if (given) return given;
  if (!generateName) {
    const message = 'Required value: name or generateName is required';
    throw invalid(kind, '', [{ reason: 'FieldValueRequired', message, field: 'metadata.name' }]);
  }
  const digits = uid
    .replaceAll(/[^0-9a-f]/g, '')
    .slice(-10)
    .padStart(10, '0');
  const suffix = [0, 2, 4, 6, 8].map((at) => SUFFIX_LETTERS[parseInt(digits.slice(at, at + 2), 16) % 27]).join('');
  const name = `${generateName.slice(0, 58)}${suffix}`;
  const flaws = nameFlaws(kind.nameRule, name, 'metadata.generateName');
  if (flaws.length > 0) throw invalid(kind, '', flaws);
  return name;
}
