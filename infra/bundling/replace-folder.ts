/** Replaces a built folder file by file, so that its readers, as another build or a deployment, find whole files meanwhile. */
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** `write` gets an empty folder in `dist`, on the same file system; its files replace those of `folder`. Returns what `write` returns. */
export async function replaceFolder<T>(
  dist: string,
  folder: string,
  write: (staging: string) => Promise<T>,
): Promise<T> {
  await mkdir(dist, { recursive: true });
  const staging = await mkdtemp(join(dist, '.staging-'));
  try {
    const written = await write(staging);
    await moveFiles(staging, folder);
    return written;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function moveFiles(from: string, to: string): Promise<void> {
  const files = await filesOf(from);
  for (const file of files) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await rename(join(from, file), join(to, file));
  }
  const kept = new Set(files);
  const old = (await filesOf(to)).filter((file) => !kept.has(file));
  await Promise.all(old.map((file) => rm(join(to, file), { force: true })));
}

/** Relative paths, the deepest first: a page comes after the files that it refers to. */
export async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return paths.toSorted((a, b) => b.split(sep).length - a.split(sep).length);
}
