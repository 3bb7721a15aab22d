/** `npm run release -- X.Y.Z [--dry-run]`: makes a release in the current folder, a clean checkout of main: version, changelog, packages, commit and tag. It publishes nothing. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packages, packedFile } from './packages/package-table.ts';
import { releaseChangelog } from './release/changelog.ts';
import { releaseProblems, versionTexts, withVersion } from './release/release-version.ts';

const OUT = join('dist', 'release');
const USAGE = 'usage: npm run release -- X.Y.Z [--dry-run]';

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

interface PlannedRelease {
  readonly version: string;
  readonly current: string;
  readonly changelog: string;
  readonly notes: string;
}

/** Throws an Error with all problems. */
function planRelease(version: string): PlannedRelease {
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const problems = releaseProblems({
    ...{ version, current },
    tags: lines(run('git', 'tag', '--list')),
    branch: run('git', 'branch', '--show-current').trim(),
    changed: lines(run('git', 'status', '--porcelain')).map((line) => line.slice(3)),
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const { text, notes } = releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, today);
  return { version, current, changelog: text, notes };
}

function writeVersion({ version, current, changelog }: PlannedRelease): void {
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--no-workspaces-update');
  for (const file of Object.keys(versionTexts))
    rewrite(file, (text) => withVersion(file, text, { from: current, to: version }));
  writeFileSync('CHANGELOG.md', changelog);
  run('npm', 'run', '--silent', 'manifests');
}

/** An archive with the same bytes for the same files. */
function archive(file: string, from: string, name: string): void {
  const staged = join(OUT, 'staged');
  cpSync(from, join(staged, name), { recursive: true });
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  const tar = join(staged, `${name}.tar`);
  run('tar', ...same, '-cf', tar, '-C', staged, name);
  run('gzip', '--no-name', tar);
  copyFileSync(`${tar}.gz`, join(OUT, file));
  rmSync(staged, { recursive: true });
}

/** Writes what is published, with the sum of each file. */
function makeFiles({ version, notes }: PlannedRelease): readonly string[] {
  run('npm', 'run', '--silent', 'pack');
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const packed = packages.map(({ name }) => packedFile(name, version));
  for (const file of packed) copyFileSync(join('dist', 'packages', file), join(OUT, file));
  archive(`evenkeel-chart-${version}.tgz`, join('manifests', 'chart'), 'evenkeel');
  archive(`evenkeel-manifests-${version}.tgz`, 'manifests', 'manifests');
  writeFileSync(join(OUT, `evenkeel-${version}.cdx.json`), run('npm', 'run', '--silent', 'sbom'));
  writeFileSync(join(OUT, 'NOTES.md'), `${notes}\n`);
  const sums = readdirSync(OUT)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(OUT, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(OUT, 'SHA256SUMS'), sums.join(''));
  return packed;
}

function commit({ version, notes }: PlannedRelease): void {
  run('git', 'add', '--update');
  run('git', 'commit', '--quiet', '--message', `Release ${version}`);
  // Headings of notes begin with #, which git would take for comments.
  const tag = ['tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message'];
  run('git', ...tag, `Evenkeel ${version}\n\n${notes}\n`);
}

function release(args: readonly string[]): string {
  const options = { 'dry-run': { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0) throw new Error(USAGE);
  const planned = planRelease(version);
  if (values['dry-run'])
    return `Would release ${version} (package.json has ${planned.current}):\n\n${planned.notes}\n\nNothing was changed (--dry-run).`;
  try {
    writeVersion(planned);
    const packed = makeFiles(planned);
    commit(planned);
    const publish = packed.map((file) => `  npm publish ${OUT}/${file} --provenance --access public`);
    return [
      `Version ${version} is committed and tagged; ${OUT} has its files. To publish it:`,
      `  git push origin main v${version}`,
      ...publish,
    ].join('\n');
  } catch (thrown) {
    throw new Error(`the release was not completed; undo its changes with: git restore .`, { cause: thrown });
  }
}

try {
  console.log(release(process.argv.slice(2)));
} catch (thrown) {
  const { message, cause } = thrown as Error;
  console.error(message);
  if (cause instanceof Error) console.error(cause.message);
  process.exitCode = 1;
}
