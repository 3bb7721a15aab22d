/** A document as text for -o json and -o yaml, the same for all commands. */
import { stringify } from 'yaml';

export function documentText(document: object, output: 'json' | 'yaml'): string {
  return output === 'json' ? JSON.stringify(document, undefined, 2) : stringify(document).trimEnd();
}
