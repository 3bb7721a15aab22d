import fc from 'fast-check';

/** Any character of Unicode, as a text; a string of fast-check's own 'binary' unit takes seconds to be made ready. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));
