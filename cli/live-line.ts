/** A line that changes while a command waits: in its place on a terminal, one below the other elsewhere. */
import { widthOf } from './terminal.ts';

export interface LiveLine {
  /** `line` for a terminal of this width; `text` for a pipe, which gets it only where it is new. */
  show(line: (width: number) => string, text: string): void;
  /** Takes the line away, so that what comes next stands in its place. */
  clear(): void;
}

type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'write'> & { readonly columns?: number };

const BEGIN_AND_ERASE = '\r\u001B[K';

export function liveLine(stream: Stream): LiveLine {
  let last = '';
  return {
    show(line, text) {
      const width = widthOf(stream);
      if (width !== undefined) stream.write(`${BEGIN_AND_ERASE}${line(width)}`);
      else if (text !== last) stream.write(`${text}\n`);
      last = text;
    },
    clear() {
      if (widthOf(stream) !== undefined && last !== '') stream.write(BEGIN_AND_ERASE);
    },
  };
}
