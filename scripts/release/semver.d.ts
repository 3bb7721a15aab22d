/** The functions of `semver` that are used; its own package has no types. */
declare module 'semver' {
  const semver: {
    valid(version: string): string | null;
    gt(a: string, b: string): boolean;
    lt(a: string, b: string): boolean;
    /** The highest first. */
    rsort(versions: readonly string[]): readonly string[];
  };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default semver;
}
