import { describe, expect, it } from 'vitest';
import { subjectText } from '../../../shared/console-api/subject.ts';

describe('the subject of a command', () => {
  it.each([
    [
      'a login that the console verified',
      { source: 'console', name: 'alice@example.com' },
      'console:alice@example.com',
    ],
    ['a name that a shell claims', { source: 'claimed', name: 'alice@example.com' }, 'claimed:alice@example.com'],
    ['a local run', { source: 'local', name: 'user' }, 'local:user'],
    ['an empty name', { source: 'claimed', name: ' ' }, 'claimed:unknown'],
    ['an unknown source', { source: 'root', name: 'alice' }, 'claimed:unknown'],
    ['a text', 'console:alice', 'claimed:unknown'],
    ['nothing', undefined, 'claimed:unknown'],
    ['line breaks and quotes', { source: 'claimed', name: 'a\nconsole:"b"\u202e' }, 'claimed:a?console:?b??'],
  ])('is written for %s with its source in front', (_, subject, expected) => {
    expect(subjectText(subject)).toBe(expected);
  });

  it('is at most 200 characters of a name', () => {
    expect(subjectText({ source: 'claimed', name: 'x'.repeat(100_000) })).toBe(`claimed:${'x'.repeat(200)}`);
  });
});
