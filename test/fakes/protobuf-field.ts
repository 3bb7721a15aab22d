/** Encodes protobuf messages by hand, for tests of what kubectl sends and reads. */

/** A field of wire type 2 (text, bytes or message) of less than 128 bytes, with a number below 16. */
export function protobufField(number: number, content: Buffer | string): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}
