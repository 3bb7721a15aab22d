/** Reads a request's body as text: of a supported media type, decompressed up to a limit, in UTF-8. Errors are Faults with a message for the caller. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Fault } from '../core/fault.ts';

export interface PackedBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly contentEncoding: string;
}

export interface BodyLimit {
  readonly bytes: number;
  /** What a caller has to do who exceeds it. */
  readonly remedy: string;
}

const unpack = promisify(gunzip);

/** JSON under gzip also has its own media type: the HTTP API treats application/json as text, which corrupts compressed bytes. */
const PACKED = 'application/gzip';

/** The limit applies to the compressed and the decompressed body: a megabyte of gzip may hold a thousand. */
export async function readText(body: PackedBody, limit: BodyLimit): Promise<string> {
  const [type = '', ...parameters] = body.contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (
    ![PACKED, 'application/json'].includes(type) ||
    !parameters.every((parameter) => /^(charset="?utf-8"?)?$/.test(parameter))
  ) {
    throw unsupported(`content-type is ${shown(body.contentType)}; send application/json, or ${PACKED}`);
  }
  if (body.bytes.byteLength > limit.bytes) throw tooLarge(`the body has ${body.bytes.byteLength} bytes`, limit);
  const bytes = await unpacked(body, limit, type === PACKED);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Fault('terminal', 'the body is not UTF-8', { reason: 'UnreadableBody' });
  }
}

async function unpacked({ bytes, contentEncoding }: PackedBody, limit: BodyLimit, byType: boolean): Promise<Buffer> {
  const encoding = byType ? 'gzip' : contentEncoding.trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return bytes;
  if (encoding !== 'gzip') {
    throw unsupported(`content-encoding is ${shown(contentEncoding)}; send gzip, or leave it out`);
  }
  try {
    return await unpack(bytes, { maxOutputLength: limit.bytes });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge('the body unpacks to more', limit);
    throw new Fault('terminal', `the body did not arrive as gzip; send packed bytes with content-type ${PACKED}`, {
      reason: 'UnreadableBody',
    });
  }
}

function tooLarge(what: string, { bytes, remedy }: BodyLimit): Fault {
  return new Fault('terminal', `${what}, at most ${bytes} bytes are taken; ${remedy}`, { reason: 'BodyTooLarge' });
}

function unsupported(what: string): Fault {
  return new Fault('terminal', what, { reason: 'UnsupportedBody' });
}

function shown(text: string): string {
  return text === '' ? 'missing' : JSON.stringify(text.slice(0, 60));
}
