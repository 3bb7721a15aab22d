/** The vocabulary of the repository (decision 24). */
import { describe, expect, it } from 'vitest';
import { usesIn, usesInTree } from '../../scripts/banned-words.ts';

const words = (text: string): readonly string[] => usesIn('a.ts', text).map(({ word }) => word);

describe('banned words', () => {
  it('are in no file of the repository', () => {
    expect(usesInTree()).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['// Nobody hears of it.', ['nobody', 'hears']],
    ['const clusterVerdicts = 1;', ['verdicts']],
    ['const HUB_SURROUNDINGS = 1;', ['surroundings']],
    ['const swell = unwellness + classroom;', []],
  ])('are found in %s', (text, found) => {
    expect(words(text)).toEqual(found);
  });

  it.each([
    'deadLetters and DEAD_LETTERS of a dead-letter queue',
    'spec.spokeNamespace of spoke1',
    'connection refused, ECONNREFUSED',
    'it applies as well; a well-known label',
  ])('are allowed as terms of an API or as plain English: %s', (text) => {
    expect(words(text)).toEqual([]);
  });

  it('are reported with their line and the term to use', () => {
    expect(usesIn('a.md', 'fine\nno room here')).toEqual([
      { file: 'a.md', line: 2, word: 'room', term: 'capacity, available replicas' },
    ]);
  });
});
