/** The version before: its name, and its tree in a folder. */
import { commitTree, git } from '../rig/cache/commit-tree.ts';

/** While there is no tag. */
const BEFORE_THE_FIRST_TAG = '19bbe40d38d5fb512b8359e7b907638158eeaa0b';

export type Base =
  | { readonly name: string; readonly folder: string }
  /** Why it cannot be tested against. */
  | { readonly missing: string };

/** The newest tag of a version before HEAD. */
export async function prepareBase(): Promise<Base> {
  const name = await nameOfBase();
  const folder = await commitTree(name);
  return folder === undefined
    ? { missing: `this clone has no commit ${name}, the version before: git fetch --unshallow --tags` }
    : { name, folder };
}

/** The newest tag that is an ancestor of HEAD, and not HEAD itself. */
async function nameOfBase(): Promise<string> {
  const tags = await git('tag', '--list', 'v*', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-v:refname');
  return tags.split('\n')[0] || BEFORE_THE_FIRST_TAG;
}
