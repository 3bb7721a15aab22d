/** Applies CustomResourceDefinitions as their releases have them, and waits until they are served. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ApiServer } from './api-server.ts';
import { eventually } from './probes.ts';

/** The wanted ones of a folder and the folders in it. */
export async function applyCrds(
  { kubectl }: ApiServer,
  folder: string,
  isWanted: (file: string) => boolean,
): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isWanted).sort();
  await kubectl.apply(files.map((file) => parse(readFileSync(join(folder, file), 'utf8')) as object));
  // kubectl gives up at once on one whose conditions are not written yet.
  const wait = ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s'];
  await eventually(async () => void (await kubectl.run(...wait)), 60_000);
}
