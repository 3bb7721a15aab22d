/** Reads a request's body: size, media type, text. For the API server. */
import type http from 'node:http';
import { parse } from 'yaml';
import { badRequest, tooLarge, unsupportedMediaType } from '../store/status-error.ts';
import { PROTOBUF, parseProtobuf } from './protobuf-body.ts';

const BODY_LIMIT = 3 * 1024 * 1024;

/**
 * The whole body; 413 beyond the limit. Excess data is still read for a while, since a client that is cut off while it sends
 * would see a broken connection instead of the response.
 */
export async function readBody(request: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    if (size > 10 * BODY_LIMIT) break;
  }
  if (size > BODY_LIMIT) throw tooLarge(BODY_LIMIT);
  return Buffer.concat(chunks);
}

export function mediaTypeOf(headers: http.IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The body as JSON, YAML or protobuf, by its media type, by default JSON. `what` is the expected content, for the error message. */
export function parseBody(body: Buffer, mediaType: string, what: string): unknown {
  if (mediaType === PROTOBUF) return parseProtobuf(body);
  const text = body.toString('utf8');
  if (!['', 'application/json', 'application/yaml'].includes(mediaType)) {
    throw unsupportedMediaType(['application/json', 'application/yaml', PROTOBUF]);
  }
  if (text.trim() === '') throw badRequest(`${what}: the body is empty`);
  try {
    return mediaType === 'application/yaml' ? asJson(parse(text)) : JSON.parse(text);
  } catch (error) {
    throw badRequest(`${what}: ${error instanceof Error ? error.message : 'it does not parse'}`);
  }
}

/** Converts YAML values that JSON does not have (dates, NaN) to JSON. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
