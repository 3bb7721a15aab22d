// Texts for users, in the CRDs, the log and the help, which no test should assert: their wording is free.
/** They take a description first. */
const DESCRIBING = ['describe', 'texts', 'duration', 'description', 'summary'];

/** They take one second, after a flag or an argument of the command line. */
const DESCRIBING_SECOND = ['option', 'requiredOption', 'argument', 'addHelpText', 'Option', 'Argument'];

/** Fields that hold one: of a schema, and of a line in the log. */
const TEXTS = ['description', 'summary'];

const CALLS = ['CallExpression', 'NewExpression'];

/** Of Babel's path of a node: the text of a call as describe(text, schema) or option(flags, text), or of such a field. */
function isDescription(path) {
  const { node, parent } = path;
  if (CALLS.includes(parent?.type)) {
    const { arguments: given, callee } = parent;
    const name = callee.name ?? callee.property?.name;
    return given[0] === node ? DESCRIBING.includes(name) : given[1] === node && DESCRIBING_SECOND.includes(name);
  }
  return parent?.type === 'ObjectProperty' && TEXTS.includes(parent.key.name) && parent.value === node;
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'descriptions',
    value: {
      shouldIgnore: (path) => (isDescription(path) ? 'a text for users, whose wording is free' : undefined),
    },
  },
];
