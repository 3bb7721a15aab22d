/** How a command reaches Evenkeel: a local run by its address, a deployment by its name. */
import { type Command, Option } from 'commander';
import { ApiError, apiClient } from '../../shared/console-api/api-client.ts';
import { faultOf } from '../../shared/console-api/error-response.ts';
import { invokeOperation } from '../../shared/console-api/invoke-operation.ts';
import type { Ask } from '../../shared/console-api/operations.ts';
import { Fault, invalidOption } from '../../shared/core/fault.ts';
import { shownUrl } from '../../shared/core/shown-url.ts';

export interface DeploymentAddress {
  readonly api?: string;
  readonly deployment: string;
  readonly hub?: string;
}

const TIMEOUT_MS = 60_000;
/** Limit on the response, since any server may be at the address. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Names of hubs in an error, which is one line. */
const MOST_NAMES = 10;
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])$/;

export function withReach(command: Command): Command {
  return command
    .addOption(new Option('--api <url>', 'the address that a local run or a console prints').env('EVENKEEL_API'))
    .addOption(
      new Option('--deployment <name>', 'a deployment, by the AWS credentials of this shell')
        .env('EVENKEEL_DEPLOYMENT')
        .default('evenkeel'),
    );
}

export function withHub(command: Command): Command {
  return withReach(command).option('--hub <hub>', "the hub's name in the deployment; needed where it has several");
}

export function reach({ api, deployment }: DeploymentAddress): Ask {
  if (api === undefined) return invokeOperation(deployment);
  const url = URL.canParse(api) ? new URL(api) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url !== undefined && isSafe) return askApi(url.origin);
  throw invalidOption(
    `--api ${shownUrl(api)} is neither an https URL nor http on loopback; use the URL that a local run or evenkeel console prints`,
  );
}

/** `url`: the address of the page. */
function askApi(url: string): Ask {
  const ask = apiClient(async (path, init) => {
    const response = await fetch(new URL(path, url), { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return new Response(response.body?.pipeThrough(limitedTo(MAX_BYTES)), response);
  });
  return (name, input) =>
    ask(name, input).catch((thrown: unknown) => {
      if (!(thrown instanceof ApiError)) throw thrown;
      const { status, response } = thrown;
      if (response?.reason !== undefined) throw faultOf(response);
      if (status === undefined)
        throw new Fault('retryable', `no response from ${url}; check that the local run is up (evenkeel start)`, {
          reason: 'NotReached',
        });
      throw new Fault('terminal', `${url} returned ${status} without a response of Evenkeel; check the address`, {
        reason: 'NotEvenkeel',
      });
    });
}

function limitedTo(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(part, stream) {
      bytes += part.byteLength;
      if (bytes > maxBytes) stream.error(new Error('the response is too large'));
      else stream.enqueue(part);
    },
  });
}

/** The hub that is named, or the only one. */
export async function hubOf(ask: Ask, { hub }: DeploymentAddress): Promise<string> {
  if (hub !== undefined) return hub;
  const { hubs } = await ask('listHubs', {});
  const [only, second] = hubs;
  if (only !== undefined && second === undefined) return only.name;
  const names = hubs.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = hubs.length > MOST_NAMES ? [`${hubs.length - MOST_NAMES} more`] : [];
  throw invalidOption(`--hub: Required value (the deployment has: ${[...names, ...more].join(', ') || 'none'})`);
}
