/** The deployed functions as processes of this machine: Node processes, children of the emulator. */
import { readdirSync, readFileSync } from 'node:fs';
import type { AwsEmulator, Credentials } from './aws-emulator.ts';

export interface FunctionProcess {
  readonly pid: number;
  /** The deployed name, such as evenkeel-plan-rebalance. */
  readonly functionName: string;
  /** Its environment variables: settings, and the credentials of its role. */
  readonly environment: Readonly<Record<string, string>>;
}

/** One process per invoked function, and more for concurrent invocations. */
export function functionProcesses({ pid: emulator }: AwsEmulator): readonly FunctionProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const found = childOf(emulator, Number(name));
      return found === undefined ? [] : [found];
    });
}

function childOf(parent: number, pid: number): FunctionProcess | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    if (Number(fields[1]) !== parent) return undefined;
    const environment = Object.fromEntries(
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .flatMap((line) => {
          const at = line.indexOf('=');
          return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
        }),
    );
    const functionName = environment.AWS_LAMBDA_FUNCTION_NAME;
    return functionName === undefined ? undefined : { pid, functionName, environment };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}

/** The credentials of its role. */
export function credentialsOf({ environment }: FunctionProcess): Credentials {
  return {
    accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
    sessionToken: environment.AWS_SESSION_TOKEN ?? '',
  };
}
