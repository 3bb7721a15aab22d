/** Words that code, tests and docs must not use, with their replacements; `node scripts/banned-words.ts [PATH…]` lists every use. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Lowercase. Each is compared with whole words and with the parts of camelCase names. */
const banned: Readonly<Record<string, readonly string[]>> = {
  'user, operator, caller': [
    ...['people', 'person', 'persons', 'somebody', 'someone', 'anybody', 'anyone', 'nobody', 'everybody', 'everyone'],
    ...['whoever', 'whomever'],
  ],
  'consumes, publishes, reports, states': [
    ...['hear', 'hears', 'heard', 'hearing', 'say', 'says', 'said', 'saying', 'tell', 'tells', 'told', 'telling'],
  ],
  'observation, observed state, reconcile': ['sight', 'sights', 'glance', 'looked', 'looks'],
  'context, dependencies': ['surroundings'],
  'environment (variables)': ['wiring'],
  'concurrency limiter': ['pacer', 'pacers'],
  'capacity, available replicas': ['room', 'rooms', 'roomy'],
  'healthy, Ready': ['unwell', 'well'],
  'borrow, borrowed': ['lend', 'lends', 'lent', 'lending'],
  timeout: ['patience'],
  'attempts, maxAttempts': ['tries'],
  'rejection, rejected, error response': ['refuse', 'refuses', 'refused', 'refusal', 'refusals', 'refusing'],
  route: ['hop', 'hops'],
  schedule: ['tick', 'ticks'],
  'classify, result': ['judge', 'judges', 'judged', 'judging', 'judgement', 'judgements', 'verdict', 'verdicts'],
  'dead-letter message': ['letters'],
  'managed cluster': ['spoke', 'spokes'],
};

const termOf = new Map(
  Object.entries(banned).flatMap(([term, words]) => words.map((word): [string, string] => [word, term])),
);

export interface Use {
  readonly file: string;
  readonly line: number;
  readonly word: string;
  /** What to write instead. */
  readonly term: string;
}

/** Texts in which a banned word is allowed, with the reason. */
const allowed: readonly { readonly text: RegExp; readonly reason: string }[] = [
  { text: /dead[-_ ]?letters?/gi, reason: 'the term of SQS' },
  { text: /\d{4}-[a-z-]+\.md|[a-z-]+\.test\.ts/g, reason: 'the names of files' },
  {
    text: /spokeNamespace|spoke-cluster-name|--spoke-|OnSpoke(?:Present|Change)/g,
    reason: 'names of the API and of the work agent of Open Cluster Management',
  },
  { text: /\bspoke(?:\d\b|\$\{)/g, reason: 'the name of a cluster in stories and tests' },
  { text: /\bas well\b|\bwell[- ](?:known|formed|kept)\b|[wW]ellKnown|[wW]ellFormed/g, reason: 'plain English' },
  { text: /connection refused|ECONNREFUSED|REFUSED_STREAM/gi, reason: 'the error of the network' },
  { text: /nextTick/g, reason: 'the name of a function of Node' },
  { text: /hop-by-hop/g, reason: 'the term of HTTP' },
  {
    text: /'Hops'/g,
    reason: 'a construct id, by which CloudFormation knows queues with fixed names',
  },
  {
    text: /\(`spoke \$\{lasting\(random, 'spoke'|`ask \$\{cluster\} for room`/g,
    reason: 'names of random values of the simulator: with another name, a seed has another history',
  },
  { text: /\bticks: \{ stroke/g, reason: 'an option of uPlot' },
  { text: /\b_SCHEDULER?_TICK_INTERVAL\b/g, reason: 'names of MiniStack' },
];

/** Uses of banned words in a text. Pure. */
export function usesIn(file: string, text: string): readonly Use[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = allowed.reduce((rest, { text: pattern }) => rest.replaceAll(pattern, ''), raw);
    const words = line.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
    return words.flatMap((part) => {
      const word = part.toLowerCase();
      const term = termOf.get(word);
      return term === undefined ? [] : [{ file, line: index + 1, word, term }];
    });
  });
}

/** Files with text that is not written for this repository. */
const ofOthers =
  /^(package-lock\.json|LICENSE|scripts\/banned-words\.ts|test\/house\/words\.test\.ts|docs\/decisions\/0024-one-vocabulary\.md)$|_pb\.ts$|\.(png|svg|proto|ico|woff2)$|\/go\.sum$/;

/** Uses in the files of the repository, or under `paths`. */
export function usesInTree(paths: readonly string[] = []): readonly Use[] {
  const files = execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' }).split('\n');
  return files
    .filter((file) => file !== '' && !ofOthers.test(file))
    .flatMap((file) => usesIn(file, readFileSync(file, 'utf8')));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const uses = usesInTree(process.argv.slice(2));
  for (const { file, line, word, term } of uses) console.log(`${file}:${line}: ${word}: write ${term}`);
  console.log(`${uses.length} banned words`);
  process.exitCode = uses.length > 0 ? 1 : 0;
}
