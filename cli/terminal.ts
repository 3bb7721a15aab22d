/** The width and the colour support of an output stream. */
import type { WriteStream } from 'node:tty';
import pico from 'picocolors';

type Colour = 'bold' | 'dim' | 'red' | 'yellow' | 'green';
/** Each returns its text unchanged if colours are off. */
export type Colours = Readonly<Record<Colour, (text: string) => string>>;

type ColourStream = { readonly isTTY?: boolean | undefined } & Partial<Pick<WriteStream, 'columns'>>;

/** In columns; undefined for a pipe, which is never truncated. */
export function widthOf(stream: ColourStream = process.stdout): number | undefined {
  return stream.isTTY && stream.columns !== undefined && stream.columns > 0 ? stream.columns : undefined;
}

/** On for a terminal unless NO_COLOR is set; on for a pipe only if FORCE_COLOR is set. */
export function wantsColour(
  stream: Pick<ColourStream, 'isTTY'>,
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return stream.isTTY === true && TERM !== 'dumb';
}

export function coloursOf(stream: ColourStream = process.stdout): Colours {
  return pico.createColors(wantsColour(stream, process.env));
}
