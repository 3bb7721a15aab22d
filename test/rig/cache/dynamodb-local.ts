/** DynamoDB Local, AWS's own engine for tests, with all it needs in one folder. */
import { join } from 'node:path';
import { run } from '../command.ts';
import { cached, ensure } from './cache.ts';

const tools = join(import.meta.dirname, '..', 'tools', 'dynamodb-local');
const pins = join(tools, 'pom.xml');

/** The command that starts it, without its flags. */
export async function dynamoDbLocal(): Promise<readonly [string, ...string[]]> {
  await run('java', ['-version']);
  const folder = await ensure(cached({ name: 'dynamodb-local', pins: [pins] }), async (place) => {
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${place}`];
    await run('mvn', ['--quiet', '--batch-mode', '--file', pins, ...goal], { attempts: 3 });
  });
  const jars = [`-Djava.library.path=${folder}`, '-cp', join(folder, '*')];
  return ['java', '-Xmx512m', '-XX:-UsePerfData', ...jars, join(tools, 'LoopbackServer.java')];
}
