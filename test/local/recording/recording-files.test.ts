import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type RecordedLine, RecordingWriter, readRecording, spanOf } from '../../../local/recording/recording-files.ts';

const parent = mkdtempSync(join(tmpdir(), 'evenkeel-recording-files-'));
afterAll(() => rmSync(parent, { recursive: true }));
let folders = 0;
const newFolder = () => join(parent, String((folders += 1)));

const started = (at: string): RecordedLine => ({ at, event: 'SnapshotStarted', format: 1 });
const ended = (at: string): RecordedLine => ({ at, event: 'SnapshotEnded' });

async function read(folder: string) {
  const warnings: string[] = [];
  const events: string[] = [];
  for await (const { at, line } of readRecording(folder, (warning) => warnings.push(warning)))
    events.push(`${new Date(at).toISOString()} ${'event' in line ? line.event : ''}`);
  return { events, warnings };
}

describe('the files of a recording', () => {
  it('hold a day each, and are read in order', async () => {
    const folder = newFolder();
    const writer = new RecordingWriter(folder);
    writer.write([started('2026-11-29T23:59:59Z'), ended('2026-11-29T23:59:59Z')]);
    writer.write([started('2026-11-30T00:00:09Z')]);
    writeFileSync(join(folder, 'notes.txt'), 'not of the recording');
    expect(readdirSync(folder).sort()).toEqual(['2026-11-29.jsonl', '2026-11-30.jsonl', 'notes.txt']);
    expect(await read(folder)).toEqual({
      events: [
        '2026-11-29T23:59:59.000Z SnapshotStarted',
        '2026-11-29T23:59:59.000Z SnapshotEnded',
        '2026-11-30T00:00:09.000Z SnapshotStarted',
      ],
      warnings: [],
    });
    const span = await spanOf(folder, () => undefined);
    expect([span.from, span.to]).toEqual([Date.parse('2026-11-29T23:59:59Z'), Date.parse('2026-11-30T00:00:09Z')]);
  });

  it('survive a crash in the middle of a line: it is left out with a warning, and a restart writes on a new line', async () => {
    const folder = newFolder();
    new RecordingWriter(folder).write([started('2026-11-29T10:00:00Z')]);
    const file = join(folder, '2026-11-29.jsonl');
    appendFileSync(file, '{"at":"2026-11-29T10:00:05Z","obj');
    expect((await spanOf(folder, () => undefined)).from).toBe(Date.parse('2026-11-29T10:00:00Z'));
    const cut = await read(folder);
    expect([cut.events, cut.warnings]).toEqual([
      ['2026-11-29T10:00:00.000Z SnapshotStarted'],
      [`${file}, line 2: cut off, and left out`],
    ]);
    new RecordingWriter(folder).write([started('2026-11-29T10:01:00Z')]);
    const restarted = await read(folder);
    expect(restarted.events).toEqual([
      '2026-11-29T10:00:00.000Z SnapshotStarted',
      '2026-11-29T10:01:00.000Z SnapshotStarted',
    ]);
    expect(restarted.warnings).toHaveLength(1);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
  });

  it('never go back in time: a clock that was set back counts from the last line', async () => {
    const folder = newFolder();
    new RecordingWriter(folder).write([started('2026-11-29T10:00:05Z'), ended('2026-11-29T10:00:00Z')]);
    expect((await read(folder)).events).toEqual([
      '2026-11-29T10:00:05.000Z SnapshotStarted',
      '2026-11-29T10:00:05.000Z SnapshotEnded',
    ]);
  });

  it('end the recording if they cannot be written', () => {
    const file = newFolder();
    writeFileSync(file, 'no folder');
    expect(() => new RecordingWriter(file)).toThrow(
      `${file} cannot be written (EEXIST); free space there, or name a folder that can`,
    );
  });

  it('of a later format are not read', async () => {
    const folder = newFolder();
    new RecordingWriter(folder).write([{ at: '2026-11-29T10:00:00Z', event: 'SnapshotStarted', format: 2 }]);
    await expect(read(folder)).rejects.toThrow(
      /, line 1: format: Unsupported value: 2: supported values: 1 to 1; it was recorded by a later version of evenkeel/,
    );
  });

  it.each(['a folder that does not exist', 'a folder without a recording'])('are missing in %s', async (what) => {
    const folder = what.endsWith('exist') ? join(parent, 'no-such') : parent;
    await expect(spanOf(folder, () => undefined)).rejects.toThrow(
      `--from ${folder}: no recording found, which has files like 2026-11-28.jsonl; make one with: evenkeel record ${folder}`,
    );
  });
});
