/** MiniStack, an emulator of AWS, in a Python environment of its own. */
import { join } from 'node:path';
import { run } from '../command.ts';
import { cached, ensure } from './cache.ts';

const tools = join(import.meta.dirname, '..', 'tools', 'aws');
const pins = join(tools, 'requirements.txt');

/** The command that starts it; its environment sets the address and TLS. */
export async function miniStack(): Promise<readonly [string, string]> {
  // A virtual environment works only with the Python that created it.
  const python = (await run('python3', ['-c', 'import sys; print(sys.version, sys.executable)'])).trim();
  const folder = await ensure(cached({ name: 'ministack', pins: [pins], salt: python }), async (place) => {
    await run('python3', ['-m', 'venv', place]);
    const install = ['-m', 'pip', 'install', '--quiet', '--require-hashes', '-r', pins];
    await run(join(place, 'bin', 'python'), install, { attempts: 3 });
  });
  return [join(folder, 'bin', 'python'), join(tools, 'launcher.py')];
}
