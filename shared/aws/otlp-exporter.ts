/** Exports spans to an OTLP/HTTP endpoint, or to that of X-Ray, whose requests are signed with the function's own credentials. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { XRAY } from '../core/environment.ts';
import { asFault } from '../core/fault.ts';
import { otlpTraces } from '../core/otlp.ts';
import type { SpanExporter } from '../core/span.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { Environment } from './client-config.ts';

/** An invocation waits no longer for its trace. */
const TIMEOUT_MS = 2000;

interface ExporterOptions {
  /** XRAY, or the base URL of a collector: `/v1/traces` is added, as OpenTelemetry's OTEL_EXPORTER_OTLP_ENDPOINT is read. */
  readonly to: string;
  readonly service: string;
  readonly telemetry: Telemetry;
  readonly environment: Environment;
}

export function otlpExporter({ to, service, telemetry, environment }: ExporterOptions): SpanExporter {
  const isXray = to === XRAY;
  const { AWS_REGION: region = '' } = environment;
  const url = new URL(`${isXray ? xrayOf(region) : to.replace(/\/$/, '')}/v1/traces`);
  return async (spans) => {
    try {
      const body = JSON.stringify(otlpTraces(spans, service));
      const plain = { 'content-type': 'application/json', host: url.host };
      const headers = isXray ? await signed({ url, headers: plain, body }, environment) : plain;
      const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${url.host} answered ${response.status}: ${text.slice(0, 200)}`);
    } catch (thrown) {
      telemetry.outcome('EK005', { spans: spans.length, error: asFault(thrown).message });
    }
  };
}

function xrayOf(region: string): string {
  return `https://xray.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

interface Request {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** By the credentials of the function's role, which Lambda sets in its environment. */
function signed({ url, headers, body }: Request, environment: Environment): Promise<Record<string, string>> {
  const {
    AWS_REGION: region = '',
    AWS_ACCESS_KEY_ID = '',
    AWS_SECRET_ACCESS_KEY = '',
    AWS_SESSION_TOKEN,
  } = environment;
  const credentials = {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
  };
  const signer = new SignatureV4({ service: 'xray', region, credentials, sha256: Sha256 });
  const { protocol, hostname, pathname: path } = url;
  return signer
    .sign({ method: 'POST', protocol, hostname, path, headers, body, query: {} })
    .then((request) => request.headers);
}

/** As the signer asks for it. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('a hash of the signer is used once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
