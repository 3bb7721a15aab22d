/** Applies the CustomResourceDefinitions of a release, and waits until they are served. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ApiServer } from './api-server.ts';
import { eventually } from './probes.ts';

/** Applies the files of a folder and its subfolders that the filter accepts. */
export async function applyCrds(
  { kubectl }: ApiServer,
  folder: string,
  isWanted: (file: string) => boolean,
): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isWanted).sort();
  await kubectl.apply(files.map((file) => parse(readFileSync(join(folder, file), 'utf8')) as object));
  // kubectl wait fails at once for a CRD without conditions.
  const wait = ['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s'];
  await eventually(async () => void (await kubectl.run(...wait)), 60_000);
}
