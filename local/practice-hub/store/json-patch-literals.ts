/** `JSONPatch{op: "add", path: p, value: v}`, a type of the API server's CEL, rewritten as a map that every CEL has. For admission policies. */

/** String literals as a whole, since their content is no expression; raw ones have no escapes. */
const TOKEN =
  /[rR](?:"[^"]*"|'[^']*')|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\s+|[\s\S]/g;
const TYPE = 'JSONPatch';

/** The next expected token within a literal. */
interface Literal {
  awaits: 'name' | 'colon' | 'value';
}

/** Each value is wrapped in dyn(), since a map's values are otherwise of one type. */
export function patchesAsMaps(expression: string): string {
  const open: (Literal | undefined)[] = [];
  let before = '';
  const written = (expression.match(TOKEN) ?? []).map((token) => {
    const text = write(token, { open, before });
    if (token.trim() !== '') before = token;
    return text;
  });
  return written.join('');
}

function write(token: string, { open, before }: { open: (Literal | undefined)[]; before: string }): string {
  const literal = open.at(-1);
  if (token === TYPE) return '';
  if ('{[('.includes(token)) {
    open.push(before === TYPE ? { awaits: 'name' } : undefined);
    return token;
  }
  if ('}])'.includes(token)) {
    open.pop();
    return literal?.awaits === 'value' ? `)${token}` : token;
  }
  return literal === undefined ? token : writeField(token, literal);
}

function writeField(token: string, literal: Literal): string {
  if (literal.awaits === 'name' && /^\w/.test(token)) {
    literal.awaits = 'colon';
    return JSON.stringify(token);
  }
  if (literal.awaits === 'colon' && token === ':') {
    literal.awaits = 'value';
    return ': dyn(';
  }
  if (literal.awaits === 'value' && token === ',') {
    literal.awaits = 'name';
    return '),';
  }
  return token;
}
