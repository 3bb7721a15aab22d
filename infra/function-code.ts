/** The default code of a function: the bundles in this package. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Fault } from '../shared/core/fault.ts';
import { bundleFolderOf, packageRoot } from './function-paths.ts';

/** A published package contains its bundles, so that a consumer's app needs no bundler. */
export function bundledCode(name: string): Code {
  const folder = join(packageRoot(), bundleFolderOf(name));
  if (!existsSync(join(folder, 'index.mjs'))) {
    throw new Fault('terminal', `${bundleFolderOf(name)} has no bundle; make them with: npm run bundle`, {
      reason: 'NoBundle',
    });
  }
  return Code.fromAsset(folder);
}
