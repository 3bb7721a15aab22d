/** A short name for a text of any length, where nobody has a reason to make two alike. */

/** 128 bits of FNV-1a over its UTF-8 bytes, as 32 hexadecimal digits. */
export function digest(text: string): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x0000000001000000000000000000013bn);
  }
  return hash.toString(16).padStart(32, '0');
}
