/**
 * Impure code has too many mutants to run them all in an hour, so a part may test one unit in N: a top-level statement or a class member.
 * Which ones follows from their names, so that a sample stays the same until something is renamed.
 */
import { createHash } from 'node:crypto';

const ONE_IN = Number(process.env.EVENKEEL_MUTATION_ONE_IN ?? 1);

interface Node {
  readonly type: string;
  readonly id?: { readonly name?: string } | null;
  readonly key?: { readonly name?: string; readonly id?: { readonly name: string } };
  readonly declaration?: Node | null;
  readonly declarations?: readonly Node[];
  readonly loc?: { readonly start: { readonly line: number } } | null;
}

/** What is used of Babel's path of a node. */
export interface Path {
  readonly node: Node;
  readonly parent?: Node | undefined;
  readonly parentPath?: { readonly parent?: Node | undefined } | null;
}

/** The name of a unit: `Table.read`, `conditionOf`; for a statement without a name its type and the line on which it starts. */
export function nameOf({ node, parent, parentPath }: Path): string {
  if (parent?.type === 'ClassBody')
    return `${parentPath?.parent?.id?.name ?? ''}.${node.key?.name ?? node.key?.id?.name ?? ''}`;
  const declared = node.declaration ?? node;
  const named = declared.declarations?.[0] ?? declared;
  return named.id?.name ?? `${node.type}:${node.loc?.start.line}`;
}

/** Whether the unit called `name` belongs to a sample of one in `oneIn`. */
export function isSampled(name: string, oneIn: number): boolean {
  return createHash('sha256').update(name).digest().readUInt32BE(0) % oneIn === 0;
}

/** A class is no unit: its members are. */
function isUnit({ node, parent }: Path): boolean {
  const isClass = [node.type, node.declaration?.type].includes('ClassDeclaration');
  return (parent?.type === 'Program' && !isClass) || parent?.type === 'ClassBody';
}

export function outsideSample(path: Path, oneIn: number): string | undefined {
  return isUnit(path) && !isSampled(nameOf(path), oneIn) ? `not in the sample of one in ${oneIn}` : undefined;
}

export const strykerPlugins = [
  { kind: 'Ignore', name: 'sample', value: { shouldIgnore: (path: Path) => outsideSample(path, ONE_IN) } },
];
