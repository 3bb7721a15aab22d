/** `npm run release` in a small repository with its own pack, manifests and sbom; and the texts of this one that name the version. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { releaseChangelog } from '../../scripts/release/changelog.ts';
import { releaseProblems, versionTexts, withVersion } from '../../scripts/release/release-version.ts';
import { VERSION } from '../../shared/core/version.ts';

const SCRIPT = resolve('scripts', 'release.ts');
const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A command.\n\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- All.\n';

const pack = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
mkdirSync('dist/packages', { recursive: true });
for (const name of ['evenkeel', 'evenkeel-cdk', 'evenkeel-local'])
  writeFileSync('dist/packages/' + name + '-' + version + '.tgz', name);
`;
const manifests = `
import { readFileSync, writeFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync('manifests/chart/Chart.yaml', 'version: ' + version + '\\n');
`;
const scripts = { pack: 'node pack.mjs', manifests: 'node manifests.mjs', sbom: 'node -p "\'{}\'"' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-released-'));
  const texts = Object.entries(versionTexts).map(([file, textOf]) => [file, `${textOf('0.1.0')}\n`] as const);
  const files = {
    ...Object.fromEntries(texts),
    '.gitignore': 'dist/\n',
    'package.json': JSON.stringify({ name: 'small', version: '0.1.0', scripts }),
    'pack.mjs': pack,
    'manifests.mjs': manifests,
    'manifests/chart/Chart.yaml': 'version: 0.1.0\n',
    'CHANGELOG.md': CHANGELOG,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'A user');
  git('config', 'user.email', 'user@example.com');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  git('tag', 'v0.1.0');
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

function release(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, out: stdout, error: stderr };
}

describe('npm run release', () => {
  it('commits and tags the version, and writes all files with their sums', () => {
    const { status, out, error } = release('0.2.0');
    expect([status, error]).toEqual([0, '']);
    expect(out).toContain('  git push origin main v0.2.0\n  npm publish dist/release/evenkeel-0.2.0.tgz --provenance');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '-1', '--format=%s').trim()).toBe('Release 0.2.0');
    expect(git('cat-file', '-t', 'v0.2.0').trim()).toBe('tag');
    expect(git('for-each-ref', '--format=%(contents)', 'refs/tags/v0.2.0').trim()).toBe(
      'Evenkeel 0.2.0\n\n### Added\n\n- A command.',
    );
    expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
    for (const [file, textOf] of Object.entries(versionTexts)) expect(read(file)).toBe(`${textOf('0.2.0')}\n`);
    expect(read('manifests', 'chart', 'Chart.yaml')).toBe('version: 0.2.0\n');
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(read('CHANGELOG.md')).toMatch(/## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n/);

    const sums = read('dist', 'release', 'SHA256SUMS').trimEnd().split('\n');
    const named = sums.map((line) => line.split('  ')[1] ?? '');
    expect(named).toEqual([
      'NOTES.md',
      'evenkeel-0.2.0.cdx.json',
      'evenkeel-0.2.0.tgz',
      'evenkeel-cdk-0.2.0.tgz',
      'evenkeel-chart-0.2.0.tgz',
      'evenkeel-local-0.2.0.tgz',
      'evenkeel-manifests-0.2.0.tgz',
    ]);
    expect([...named, 'SHA256SUMS'].sort()).toEqual(readdirSync(join(folder, 'dist', 'release')).sort());
    for (const line of sums) {
      const [sum, file = ''] = line.split('  ');
      const bytes = readFileSync(join(folder, 'dist', 'release', file));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum);
    }
    const chart = join(folder, 'dist', 'release', 'evenkeel-chart-0.2.0.tgz');
    expect(execFileSync('tar', ['-tzf', chart], { encoding: 'utf8' })).toBe('evenkeel/\nevenkeel/Chart.yaml\n');
  });

  it('changes nothing with --dry-run, and prints the notes', () => {
    const { status, out } = release('0.2.0', '--dry-run');
    expect([status, out]).toEqual([
      0,
      'Would release 0.2.0 (package.json has 0.1.0):\n\n### Added\n\n- A command.\n\nNothing was changed (--dry-run).\n',
    ]);
    expect([git('status', '--porcelain', '--ignored'), git('tag', '--list')]).toEqual(['', 'v0.1.0\n']);
  });

  it('names everything that is against a release', () => {
    git('switch', '--quiet', '--create', 'feature');
    writeFileSync(join(folder, 'new.txt'), '');
    const { status, error } = release('0.1.0');
    expect([status, error]).toEqual([
      1,
      'version: Invalid value: 0.1.0: must be higher than 0.1.0, the last release\n' +
        'branch: Invalid value: "feature": releases are made from main\n' +
        'not committed: new.txt; commit or stash it\n',
    ]);
  });

  it('makes no commit and no tag if packing fails, and prints how to undo', () => {
    writeFileSync(join(folder, 'pack.mjs'), 'process.exit(1);\n');
    git('commit', '--quiet', '--all', '--message', 'Broken');
    const { status, error } = release('0.2.0');
    expect([status, error.split('\n')[0]]).toEqual([
      1,
      'the release was not completed; undo its changes with: git restore .',
    ]);
    expect([git('log', '-1', '--format=%s').trim(), git('tag', '--list')]).toEqual(['Broken', 'v0.1.0\n']);
  });
});

describe('the version of a release', () => {
  const input = { current: '1.2.3', branch: 'main', changed: [] };

  it.each([
    ['1.2.4', ['v1.2.3']],
    ['2.0.0-rc.1', ['v1.2.3', 'other', 'v1.10.0', 'vnext']],
    ['1.2.3', []],
  ])('may be %s after the tags %j', (version, tags) => {
    expect(releaseProblems({ ...input, version, tags })).toEqual([]);
  });

  it.each([
    ['1.9.0', ['v1.2.3', 'v1.10.0'], 'must be higher than 1.10.0, the last release'],
    ['1.3.0-rc.1', ['v1.3.0'], 'must be higher than 1.3.0, the last release'],
    ['1.2.2', [], 'must be at least 1.2.3, the version of package.json'],
    ['v1.3.0', [], 'must be a semantic version'],
    ['1.3', [], 'must be a semantic version'],
  ])('may not be %s after the tags %j', (version, tags, reason) => {
    expect(releaseProblems({ ...input, version, tags })).toEqual([expect.stringContaining(reason)]);
  });
});

describe('the changelog of a release', () => {
  it.each([
    ['# Changelog\n', 'Required value: the heading "## [Unreleased]"'],
    ['## [Unreleased]\n\n## [1.0.0] - 2026-01-01\n', 'has no entry under a heading'],
    ['## [Unreleased]\n\n### Added\n', 'has no entry under a heading'],
    ['## [Unreleased]\n\n### News\n\n- A.\n', 'Unsupported value: "### News": supported values: Added, Changed'],
    ['## [Unreleased]\n\n### Added\n\n- A.\n\n## [2.0.0] - 2026-01-01\n', 'version 2.0.0 has a section already'],
  ])('is rejected if it is %j', (text, reason) => {
    expect(() => releaseChangelog(text, '2.0.0', '2026-02-02')).toThrow(reason);
  });

  it('of this repository can be released', () => {
    const { notes, text } = releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), '99.0.0', '2026-02-02');
    expect(notes).toContain('\n### Added\n');
    expect(() => releaseChangelog(text, '99.0.1', '2026-02-02')).toThrow('has no entry under a heading');
  });
});

describe('the version of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

  it('is that of the command line, the lockfile and the chart', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { version: string; packages: object };
    const chart = parse(readFileSync('manifests/chart/Chart.yaml', 'utf8')) as { version: string; appVersion: string };
    const root = (lock.packages as Readonly<Record<string, { version: string }>>)[''];
    expect([VERSION, lock.version, root?.version, chart.version, chart.appVersion]).toEqual(Array(5).fill(version));
  });

  it.each(Object.keys(versionTexts))('is in %s, where a release replaces it', (file) => {
    const text = readFileSync(file, 'utf8');
    const next = withVersion(file, text, { from: version, to: '99.0.0' });
    expect([next.includes(version), next.includes('99.0.0')]).toEqual([false, true]);
    expect(() => withVersion(file, next, { from: version, to: '99.0.1' })).toThrow(`${file}: Required value`);
  });

  it('is in no other file of the product', () => {
    const found = execFileSync(
      'git',
      [
        'grep',
        '-lF',
        version,
        '--',
        'infra',
        'local',
        'bridge',
        'console',
        'examples',
        'scripts',
        'manifests',
        'README.md',
      ],
      { encoding: 'utf8' },
    );
    expect(found.trim().split('\n').sort()).toEqual([
      'examples/bridge/Containerfile',
      'examples/bridge/bridge.yaml',
      'manifests/chart/Chart.yaml',
    ]);
  });
});
