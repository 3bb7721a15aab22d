/** The published packages: what each is made of, and what it may weigh. */

export type PackageName = 'evenkeel' | '@evenkeel/cdk' | '@evenkeel/local';

export interface PackageSpec {
  readonly name: PackageName;
  readonly description: string;
  /** Modules by the name of their file in dist: each is bundled with what it imports. */
  readonly entries: Readonly<Record<string, string>>;
  readonly format: 'esm' | 'cjs';
  /** Commands and their entries. */
  readonly bin?: Readonly<Record<string, string>>;
  /** The entry that is imported by the package's name. */
  readonly main?: string;
  /** The module whose declarations are published. */
  readonly types?: string;
  /** Packages that are installed with it. All others that it imports are in its files. */
  readonly dependencies: readonly string[];
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalPeers?: readonly string[];
  /** Folders and files of this repository that are copied: from → to. */
  readonly copies: Readonly<Record<string, string>>;
  /** Limit on the packed file. */
  readonly mostKB: number;
}

const page = { 'dist/console': 'dist/console' };

export const packages: readonly PackageSpec[] = [
  {
    name: 'evenkeel',
    description:
      'The command line of Evenkeel: plan, rebalance, drain, and inspect what keeps replicas where they belong.',
    entries: {
      evenkeel: 'cli/evenkeel.ts',
      'kubectl-evenkeel': 'cli/kubectl-evenkeel.ts',
      'kubectl-complete-evenkeel': 'cli/kubectl-complete-evenkeel.ts',
    },
    format: 'esm',
    bin: {
      evenkeel: 'evenkeel',
      'kubectl-evenkeel': 'kubectl-evenkeel',
      'kubectl_complete-evenkeel': 'kubectl-complete-evenkeel',
    },
    dependencies: [],
    peerDependencies: { '@evenkeel/local': 'VERSION' },
    optionalPeers: ['@evenkeel/local'],
    copies: page,
    mostKB: 1300,
  },
  {
    name: '@evenkeel/cdk',
    description:
      'Evenkeel as one CDK construct: serverless functions that keep replicas where they belong across clusters.',
    entries: { index: 'infra/evenkeel.ts' },
    // Loaded by apps of both module systems, as aws-cdk-lib is.
    format: 'cjs',
    main: 'index',
    types: 'infra/evenkeel.ts',
    dependencies: [],
    // The lowest CDK of the tests: decision 18.
    peerDependencies: { 'aws-cdk-lib': '^2.224.0', constructs: '^10.0.0' },
    copies: { 'dist/functions': 'dist/functions' },
    mostKB: 6000,
  },
  {
    name: '@evenkeel/local',
    description:
      'Evenkeel on this machine: a practice hub, all functions and the page, without an account or a cluster.',
    entries: { start: 'local/start.ts', 'evenkeel-local': 'local/main.ts' },
    format: 'esm',
    bin: { 'evenkeel-local': 'evenkeel-local' },
    main: 'start',
    // Its database, which has native parts.
    dependencies: ['dynalite'],
    copies: { ...page, 'local/practice-hub/kinds': 'kinds' },
    mostKB: 1300,
  },
];

/** The name that npm gives to the packed file. */
export function packedFile(name: PackageName, version: string): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}
