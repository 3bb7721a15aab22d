/** What a run of Stryker found, in its own report's shape: how many of the changes a test noticed, and which none did. */
export interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number } };
}

export interface Score {
  readonly noticed: number;
  /** Valid changes: those that are ignored, for a reason, or do not even load, are none. */
  readonly of: number;
  /** "file:line mutator: replacement". */
  readonly survivors: readonly string[];
}

const NOTICED = ['Killed', 'Timeout'];
const UNNOTICED = ['Survived', 'NoCoverage'];

export function scoreOf({ files }: Report): Score {
  const all = Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ file, ...mutant })));
  const noticed = all.filter(({ status }) => NOTICED.includes(status)).length;
  const unnoticed = all.filter(({ status }) => UNNOTICED.includes(status));
  return {
    noticed,
    of: noticed + unnoticed.length,
    survivors: unnoticed.map(({ file, location, mutatorName, replacement = '' }) => {
      const [line = ''] = replacement.split('\n');
      return `${file}:${location.start.line} ${mutatorName}: ${line}`;
    }),
  };
}

export function percentOf({ noticed, of }: Pick<Score, 'noticed' | 'of'>): number {
  return of === 0 ? 100 : (100 * noticed) / of;
}
