/** Generates estimator_pb.ts from estimator.proto. With --check it only reports whether it is up to date. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const FOLDER = resolve('shared/estimator');
const BIN = resolve('node_modules/.bin');
const generated = join(FOLDER, 'estimator_pb.ts');

/** Formatted like all other files, so that no check needs an exception for it. */
function generate(): string {
  const out = mkdtempSync(join(tmpdir(), 'evenkeel-protocol-'));
  try {
    const env = { ...process.env, PATH: `${BIN}:${process.env.PATH ?? ''}` };
    execFileSync(join(BIN, 'buf'), ['generate', '--output', out], { cwd: FOLDER, env, stdio: 'inherit' });
    // The generator's linter directive is not needed.
    const source = readFileSync(join(out, 'estimator_pb.ts'), 'utf8').replace('/* eslint-disable */\n', '');
    return execFileSync(join(BIN, 'biome'), ['check', '--write', `--stdin-file-path=${generated}`], {
      input: source,
      env,
      encoding: 'utf8',
    });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const fresh = generate();
if (!process.argv.includes('--check')) {
  writeFileSync(generated, fresh);
} else if (readFileSync(generated, 'utf8') !== fresh) {
  console.error('estimator_pb.ts is older than estimator.proto; run: node scripts/generate-protocol.ts');
  process.exitCode = 1;
}
