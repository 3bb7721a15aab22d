/** The name of a created object: its own, or one generated from generateName. For the store. */
import type { KindDefinition } from './kind-definition.ts';
import { nameFlaws, type SubmittedMetadata } from './metadata-rules.ts';
import { invalid } from './status-error.ts';

/** The alphabet of generated names in the API server, without vowels. */
const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Throws 422 if there is neither. The uid is the random source. */
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
  const suffix = [0, 2, 4, 6, 8].map((at) => SUFFIX_ALPHABET[parseInt(digits.slice(at, at + 2), 16) % 27]).join('');
  const name = `${generateName.slice(0, 58)}${suffix}`;
  const flaws = nameFlaws(kind.nameRule, name, 'metadata.generateName');
  if (flaws.length > 0) throw invalid(kind, '', flaws);
  return name;
}
