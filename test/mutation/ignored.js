// What no test should hold: texts for people, in the CRDs and in the log. What they should say is nobody's but their writer's.
/** They take a description first. */
const DESCRIBING = ['says', 'texts', 'duration'];

/** Fields that hold one: of a schema, and of a line in the log. */
const TEXTS = ['description', 'says'];

/** Of Babel's path of a node: the text of a call as says(text, schema), or of such a field. */
function isDescription(path) {
  const { parent } = path;
  if (parent?.type === 'CallExpression')
    return DESCRIBING.includes(parent.callee.name) && parent.arguments[0] === path.node;
  return parent?.type === 'ObjectProperty' && TEXTS.includes(parent.key.name) && parent.value === path.node;
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'descriptions',
    value: {
      shouldIgnore: (path) => (isDescription(path) ? 'a text for people, as its writer words it' : undefined),
    },
  },
];
