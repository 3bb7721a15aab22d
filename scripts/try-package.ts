/** Packs the package as a registry would get it, synthesizes an app of somebody else's with it and runs its command: both must work from the packed files alone. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const app = `
import { App, Stack } from 'aws-cdk-lib';
import { Evenkeel } from 'evenkeel';
const app = new App({ outdir: 'cdk.out' });
const stack = new Stack(app, 'Platform');
const { hookUrls } = new Evenkeel(stack, 'Evenkeel', { hubs: [{ name: 'karmada' }] });
if (!hookUrls.has('karmada')) throw new Error('no URL for the hub');
const { template } = app.synth().getStackByName('Platform');
const functions = Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');
console.log('package: a foreign app synthesizes ' + functions.length + ' functions');
`;

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-package-'));
try {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).replace(/^[^[]*/, ''),
  ) as [{ filename: string }];
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'evenkeel'), { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', join(modules, 'evenkeel'), '--strip-components=1']);
  // What npm would install beside it: its dependencies and its peers.
  const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  writeFileSync(join(folder, 'app.mjs'), app);
  execFileSync(process.execPath, ['app.mjs'], { cwd: folder, stdio: 'inherit' });
  const command = [join('node_modules', 'evenkeel', 'dist', 'cli', 'main.js'), 'hub', 'manifests'];
  const target = ['--hub', 'karmada', '--url', 'https://hook.example/hubs/karmada/audit'];
  const manifests = execFileSync(process.execPath, [...command, ...target], { cwd: folder, encoding: 'utf8' });
  if (!manifests.includes('kind: ServiceAccount')) throw new Error('evenkeel hub manifests printed no ServiceAccount');
  console.log(`package: evenkeel hub manifests prints ${manifests.split('\n---\n').length} objects`);
  const cli = join('node_modules', 'evenkeel', 'dist', 'cli');
  const asPlugin = execFileSync(process.execPath, [join(cli, 'kubectl-evenkeel.js'), '--help'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (!asPlugin.startsWith('Usage: kubectl evenkeel ')) throw new Error('kubectl evenkeel does not know its name');
  const started = execFileSync(process.execPath, [join(cli, 'main.js'), 'start', '--once', '--port', '0'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (!started.includes('Every step came true.')) throw new Error('evenkeel start --once did not come true');
  console.log('package: evenkeel start plays its story');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
