/** The messages of the validation rules of a CustomResourceDefinition, as texts for docs. */

export interface RuleSchema {
  readonly properties?: Readonly<Record<string, RuleSchema>>;
  readonly 'x-kubernetes-validations'?: readonly { readonly fieldPath: string; readonly messageExpression: string }[];
}

interface ValidationMessage {
  readonly path: string;
  readonly message: string;
}

/** Of the object and of its direct fields: the definitions have rules nowhere else. */
export function messagesOf(schema: RuleSchema): readonly ValidationMessage[] {
  const levels = [['', schema] as const, ...Object.entries(schema.properties ?? {})];
  return levels.flatMap(([root, level]) =>
    (level['x-kubernetes-validations'] ?? []).flatMap(({ fieldPath, messageExpression }) => {
      const path = `${root}${fieldPath}`.replace(/^\./, '');
      return alternatives(messageExpression).map((text) => ({ path, message: messageText(text) }));
    }),
  );
}

/** Those of a condition: "c ? 'a' : 'b'". */
function alternatives(expression: string): readonly string[] {
  const [, first, second] = /^.* \? ('[^']*') : ('[^']*')$/.exec(expression) ?? [];
  return first === undefined || second === undefined ? [expression] : [first, second];
}

/** "'spec.a is ' + self.a + '; write b'" → "spec.a is …; write b". Throws an Error for another form of expression. */
export function messageText(expression: string): string {
  const literals = expression.replaceAll(/' \+ \w+(?:\.\w+)*(?: \+ '|$)/g, (part) => (part.endsWith("'") ? '…' : "…'"));
  const [, text] = /^'([^']*)'$/.exec(literals) ?? [];
  if (text === undefined) throw new Error(`messageExpression: no known form: ${expression}`);
  return text;
}
