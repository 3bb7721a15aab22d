const encoder = new TextEncoder();

/** The FNV-1a hash of a text's UTF-8 bytes: a whole number from 0 to 2^32 - 1. For evenly spread, deterministic choices. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // An ASCII character is its own byte. The rest of the text is encoded only if it has another: an array of bytes takes longer than the hash of a uid.
    if (code > 0x7f) return hashed(encoder.encode(text.slice(index)), hash);
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash >>> 0;
}

function hashed(bytes: Uint8Array, from: number): number {
  let hash = from;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
