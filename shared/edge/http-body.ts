/** Reads a request's body as text: of a media type we know, unpacked up to a limit, in UTF-8. What is wrong is a Fault that says so to the caller. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Fault } from '../model/fault.ts';

export interface PackedBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly contentEncoding: string;
}

export interface BodyLimit {
  readonly bytes: number;
  /** What a caller does who is over it. */
  readonly wayOut: string;
}

const unpack = promisify(gunzip);

/** JSON under gzip has a type of its own too: the HTTP API hands on application/json as text, and packed bytes are lost in that. */
const PACKED = 'application/gzip';

/** The limit is for the body as it came and for what it holds: a megabyte of gzip may hold a thousand. */
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

function tooLarge(what: string, { bytes, wayOut }: BodyLimit): Fault {
  return new Fault('terminal', `${what}, at most ${bytes} bytes are taken; ${wayOut}`, { reason: 'BodyTooLarge' });
}

function unsupported(what: string): Fault {
  return new Fault('terminal', what, { reason: 'UnsupportedBody' });
}

function shown(text: string): string {
  return text === '' ? 'missing' : JSON.stringify(text.slice(0, 60));
}
