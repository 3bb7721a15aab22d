/** The generated protocol code matches the proto file. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

describe('estimator_pb.ts', () => {
  it('is made from estimator.proto as it is now', () => {
    const script = ['scripts/generate-protocol.ts', '--check'];
    expect(execFileSync(process.execPath, script, { encoding: 'utf8', stdio: 'pipe' })).toBe('');
  });
});
