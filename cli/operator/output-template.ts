/** Parses `-o jsonpath=` and `-o custom-columns=` as kubectl does: text, {expressions} and {range}…{end}. */
import { invalidOption } from '../../shared/core/fault.ts';

export type TemplatePart =
  | { readonly text: string }
  | { readonly path: string }
  | { readonly range: string; readonly body: readonly TemplatePart[] };

interface ColumnTemplate {
  readonly head: string;
  readonly path: string;
}

/** Returns the values at a path: of `root` if it begins with $, otherwise of `current`. */
export type FindValues = (path: string, current: unknown, root: unknown) => readonly unknown[];

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const NONE = '<none>';

/** Throws a terminal Fault that names the option. */
export function parseTemplate(text: string): readonly TemplatePart[] {
  // kubectl accepts one expression without braces.
  const tokens = text.includes('{') ? tokensOf(text) : [{ isText: false, token: text }];
  const stack: { readonly range: string; readonly body: TemplatePart[] }[] = [{ range: '', body: [] }];
  for (const { isText, token } of tokens) {
    const body = stack.at(-1)?.body ?? [];
    const range = /^range\s+(.+)$/s.exec(token)?.[1];
    if (isText) body.push({ text: token });
    else if (/^(["']).*\1$/s.test(token)) body.push({ text: unescaped(token.slice(1, -1)) });
    else if (range !== undefined) stack.push({ range, body: [] });
    else if (token === 'end') closeRange(stack, text);
    else body.push({ path: token });
  }
  const [whole, open] = stack;
  if (whole === undefined || open !== undefined)
    throw wrong(text, `{range ${open?.range ?? ''}} has no {end}; add one`);
  return whole.body;
}

function closeRange(stack: { readonly range: string; readonly body: TemplatePart[] }[], text: string): void {
  const closed = stack.length > 1 ? stack.pop() : undefined;
  if (closed === undefined) throw wrong(text, '{end} has no {range}; remove it, or write {range .PATH[*]} before it');
  stack.at(-1)?.body.push(closed);
}

/** Text, and the expressions in braces. */
function tokensOf(text: string): readonly { readonly isText: boolean; readonly token: string }[] {
  const tokens: { readonly isText: boolean; readonly token: string }[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('{', from);
    if (open > from || (open < 0 && from < text.length))
      tokens.push({ isText: true, token: text.slice(from, open < 0 ? undefined : open) });
    if (open < 0) return tokens;
    const close = closeOf(text, open + 1);
    if (close === undefined) throw wrong(text, `"{" at character ${open + 1} is not closed; add "}"`);
    const token = text.slice(open + 1, close).trim();
    if (token === '') throw wrong(text, '{} has no expression; write one, for example {.items[*].name}');
    tokens.push({ isText: false, token });
    from = close + 1;
  }
}

/** A brace in quotes closes nothing. */
function closeOf(text: string, from: number): number | undefined {
  let quote = '';
  for (let i = from; i < text.length; i += 1) {
    const char = text[i] ?? '';
    if (char === '\\') i += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '}') return i;
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, char: string) => ESCAPES[char] ?? char);
}

/** "NAME:.name,READY:.ready". Throws a terminal Fault that names the option. */
export function parseColumns(text: string): readonly ColumnTemplate[] {
  // A comma in brackets belongs to the expression.
  return text.split(/,(?![^[]*\])/).map((column) => {
    const [, head = '', expression = ''] = /^([^:]+):(.+)$/s.exec(column) ?? [];
    if (head === '')
      throw invalidOption(
        `-o custom-columns: ${JSON.stringify(column)} is not HEADER:PATH; write for example NAME:.name,READY:.ready`,
      );
    return { head, path: expression.replace(/^\{(.*)\}$/s, '$1') };
  });
}

/** Values of one expression are separated by a space; a missing one is empty. */
export function templateText(parts: readonly TemplatePart[], root: unknown, find: FindValues): string {
  const textAt = (some: readonly TemplatePart[], current: unknown): string =>
    some
      .map((part) => {
        if ('text' in part) return part.text;
        if ('path' in part) return find(part.path, current, root).map(valueText).join(' ');
        return find(part.range, current, root)
          .map((each) => textAt(part.body, each))
          .join('');
      })
      .join('');
  return textAt(parts, root);
}

/** The header, and a row for each item. */
export function columnCells(
  columns: readonly ColumnTemplate[],
  items: readonly unknown[],
  find: FindValues,
): readonly (readonly string[])[] {
  const cell = (item: unknown) => (path: string) => find(path, item, item).map(valueText).join(',') || NONE;
  return [columns.map(({ head }) => head), ...items.map((item) => columns.map(({ path }) => path).map(cell(item)))];
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function wrong(text: string, what: string): Error {
  return invalidOption(`-o jsonpath: ${JSON.stringify(text)}: ${what}`);
}
