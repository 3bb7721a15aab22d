/** Ctrl-C ends what a command waits for, and not the process: the command prints what goes on without it. */

/** The exit code of a command that Ctrl-C ended. */
export const INTERRUPTED = 130;

/** `act` gets a signal that Ctrl-C aborts. */
export async function interruptible<T>(act: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt);
  try {
    return await act(stop.signal);
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}
