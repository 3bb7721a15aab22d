import { expect, vi } from 'vitest';

/** Waits until no process has this pid: one that has ended keeps it until its parent, which may be this process, collects its exit status. */
export async function collected(pid: number): Promise<void> {
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: 90_000 });
}
