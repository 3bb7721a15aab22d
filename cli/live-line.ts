/** A line of progress: rewritten in place on a terminal, and printed when it changes elsewhere. */
import { widthOf } from './terminal.ts';

interface LiveLine {
  /** `line` for a terminal of this width; `text` for a pipe, which gets it only when it changes. */
  show(line: (width: number) => string, text: string): void;
  /** Clears the line, so that the next output takes its place. */
  clear(): void;
}

type LiveStream = Pick<NodeJS.WriteStream, 'isTTY' | 'write'> & { readonly columns?: number };

const BEGIN_AND_ERASE = '\r\u001B[K';

export function liveLine(stream: LiveStream): LiveLine {
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
