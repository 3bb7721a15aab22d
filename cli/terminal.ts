/** What stands at the other end of an output: how wide it is, and whether it takes colours. For whatever prints for people. */
import type { WriteStream } from 'node:tty';
import pico from 'picocolors';

type Colour = 'bold' | 'dim' | 'red' | 'yellow' | 'green';
/** Each gives its text back where colour is not wanted. */
export type Colours = Readonly<Record<Colour, (text: string) => string>>;

type Stream = { readonly isTTY?: boolean | undefined } & Partial<Pick<WriteStream, 'columns'>>;

/** In columns; undefined where nobody looks: what is piped is never cut. */
export function widthOf(stream: Stream = process.stdout): number | undefined {
  return stream.isTTY && stream.columns !== undefined && stream.columns > 0 ? stream.columns : undefined;
}

/** For a terminal, unless NO_COLOR says no; for a pipe only where FORCE_COLOR says yes. */
export function wantsColour(
  stream: Pick<Stream, 'isTTY'>,
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return stream.isTTY === true && TERM !== 'dumb';
}

export function coloursOf(stream: Stream = process.stdout): Colours {
  return pico.createColors(wantsColour(stream, process.env));
}
