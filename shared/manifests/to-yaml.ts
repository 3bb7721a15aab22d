/** Manifests as YAML for kubectl and for reading: short values are on one line. */
import { Document, isCollection, visit } from 'yaml';

export interface PrintedManifest {
  /** A comment for the operator. */
  readonly comment?: string;
  readonly object: object;
}

const SHORT = 120;

export function toYaml(manifests: readonly PrintedManifest[]): string {
  return manifests
    .map(({ comment, object }) => `${comment === undefined ? '' : `${commented(comment)}\n`}${yamlOf(object)}`)
    .join('---\n');
}

export function yamlOf(object: object): string {
  const document = new Document(object);
  visit(document, {
    Collection: (_, node, path) => {
      if (path.length > 1 && isCollection(node) && isShort(node.toJS(document))) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function isShort(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.length <= SHORT && !text.includes('\\n');
}

function commented(text: string): string {
  return text.replaceAll(/^/gm, '# ');
}
