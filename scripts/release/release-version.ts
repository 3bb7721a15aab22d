/** Decides whether a version can be released, and which texts of the repository name it. */
import semver from 'semver';

interface ReleaseInput {
  readonly version: string;
  /** In package.json. */
  readonly current: string;
  /** Of git. */
  readonly tags: readonly string[];
  readonly branch: string;
  /** Paths of `git status --porcelain`. */
  readonly changed: readonly string[];
}

/** All reasons against the release; empty if there are none. */
export function releaseProblems({ version, current, tags, branch, changed }: ReleaseInput): readonly string[] {
  const released = semver.rsort(tags.flatMap((tag) => (tag.startsWith('v') ? (semver.valid(tag.slice(1)) ?? []) : [])));
  const [last] = released;
  // Also rejects "v1.2.3" and " 1.2.3", which semver cleans.
  if (semver.valid(version) !== version)
    return [`version: Invalid value: ${JSON.stringify(version)}: must be a semantic version, for example 1.2.3`];
  return [
    ...(last !== undefined && !semver.gt(version, last)
      ? [`version: Invalid value: ${version}: must be higher than ${last}, the last release`]
      : []),
    ...(semver.lt(version, current)
      ? [`version: Invalid value: ${version}: must be at least ${current}, the version of package.json`]
      : []),
    ...(branch === 'main' ? [] : [`branch: Invalid value: ${JSON.stringify(branch)}: releases are made from main`]),
    ...(changed.length === 0 ? [] : [`not committed: ${changed.join(', ')}; commit or stash it`]),
  ];
}

/** Files that name the version besides package.json and the lockfile, and the text that does. */
export const versionTexts: Readonly<Record<string, (version: string) => string>> = {
  'shared/core/version.ts': (version) => `export const VERSION = '${version}';`,
  'examples/bridge/bridge.yaml': (version) => `evenkeel-bridge:${version}`,
  'examples/bridge/Containerfile': (version) => `evenkeel-bridge:${version}`,
};

/** Throws an Error if the file does not name the current version. */
export function withVersion(
  file: string,
  text: string,
  change: { readonly from: string; readonly to: string },
): string {
  const textOf = versionTexts[file];
  if (textOf === undefined || !text.includes(textOf(change.from)))
    throw new Error(`${file}: Required value: ${textOf?.(change.from) ?? 'an entry in versionTexts'}`);
  return text.replaceAll(textOf(change.from), textOf(change.to));
}
