/** The page of what each function's bundle consists of, and whether a page still shows the current bundles. */
import type { Bundle } from '../infra/bundling/bundle.ts';

/** A page that is off by less is current: otherwise every change of code would need a new page. */
const TOLERANCE_KB = 10;

const AWS = /^(@aws-sdk|@smithy|@aws)\/|^(bowser|mnemonist|obliterator|tslib)$/;

/** The columns of the page, by the names of packages. The last takes what no other takes. */
const parts: readonly (readonly [string, RegExp])[] = [
  ['Evenkeel', /^evenkeel$/],
  ['AWS SDK', AWS],
  ['gRPC', /^@(connectrpc|bufbuild)\//],
  ['`zod`', /^zod$/],
  ['Powertools, `middy`', /^@(aws-lambda-powertools|middy)\//],
  ['CEL', /^@marcbachmann\/cel-js$/],
  ['`croner`', /^croner$/],
  ['other', /./],
];

export function kB(bytes: number): number {
  return Math.ceil(bytes / 1000);
}

/** Kilobytes: of the whole bundle, then of each part. */
function sizesOf({ bytes, packages }: Bundle): readonly number[] {
  const sums = parts.map(() => 0);
  for (const [name, size] of packages) {
    const place = parts.findIndex(([, names]) => names.test(name));
    sums[place] = (sums[place] ?? 0) + size;
  }
  return [kB(bytes), ...sums.map((sum) => Math.round(sum / 1000))];
}

export interface BundlePage {
  readonly limitKb: number;
  /** Why a function's bundle may exceed the limit. */
  readonly reasonOf: (name: string) => string | undefined;
}

export function bundlePage(bundles: readonly Bundle[], { limitKb, reasonOf }: BundlePage): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const head = ['function', 'bundle, kB', ...parts.map(([title]) => title)];
  const rows = bundles.map((each) => line([`\`${each.name}\``, ...sizesOf(each).map((size) => size || '')]));
  const over = bundles.filter(({ bytes }) => kB(bytes) > limitKb);
  return `# Bundles

The code of each function in kilobytes, minified, and what it consists of.

\`npm run size -- --write\` generates this page, and \`npm run size\` fails if a figure is off by more than ${TOLERANCE_KB} kB.

${[line(head), line(head.map(() => '---')), ...rows].join('\n')}

Of the SDK's sources of credentials a bundle has only the environment, which Lambda sets: \`shared/aws/lambda-credentials.ts\`
([decision 45](../decisions/0045-bundles-read-credentials-from-the-environment.md)).

## Over ${limitKb} kB

${over.map(({ name }) => `- \`${name}\`: ${reasonOf(name) ?? 'no reason is given'}.`).join('\n')}
`;
}

/** The functions that a page shows differently, or not at all. */
export function outdatedIn(page: string, current: string): readonly string[] {
  const [shown, measured] = [rowsOf(page), rowsOf(current)];
  return [...new Set([...shown.keys(), ...measured.keys()])].filter((name) => {
    const [before, now] = [shown.get(name), measured.get(name)];
    return !before || !now || now.some((size, column) => Math.abs(size - (before[column] ?? 0)) > TOLERANCE_KB);
  });
}

function rowsOf(page: string): ReadonlyMap<string, readonly number[]> {
  return new Map(
    [...page.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name = '', sizes = '']) => [
      name,
      sizes.split(' | ').map(Number),
    ]),
  );
}
