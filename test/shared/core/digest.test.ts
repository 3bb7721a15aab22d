/** Expected values: the published test vectors of SHA-256 (FIPS 180-2), cut to 128 bits, and of FNV-1a. */
import { describe, expect, it } from 'vitest';
import { digest } from '../../../shared/core/digest.ts';
import { fnv1a } from '../../../shared/core/fnv1a.ts';

describe('the digest of a text', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb924'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223'],
    ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', '248d6a61d20638b8e5c026930c3e6039'],
  ])('of %j is %s', (text, hash) => {
    expect(digest(text)).toBe(hash);
  });
});

describe('the 32-bit FNV-1a hash of a text', () => {
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
    ['größe 🙂 2', 0x863e8106],
  ])('of %j is %i', (text, hash) => {
    expect(fnv1a(text)).toBe(hash);
  });
});
