/** Completion scripts for bash, zsh and fish, generated from the tree of commands, so that a key press starts no process. */
import { type PlacedNode, placedNodes, type WordNode, type WordOption } from './word-tree.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export function shellScript(shell: Shell, root: WordNode): string {
  const placed = placedNodes(root);
  return { bash, zsh, fish }[shell](root.name, placed);
}

function bash(name: string, placed: readonly PlacedNode[]): string {
  return `# bash completion for ${name}: source <(${name} completion bash)
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${descents(placed)}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at:$prev" in
${valueCases(placed, (words) => `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$cur")); return`, 'COMPREPLY=(); return')}
  esac
  case "$at" in
${placed.map(({ path, node }) => `    ${quoted(path.join(' '))}) set -- ${wordsOf(node).map(quoted).join(' ')} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$*" -- "$cur"))
}
complete -o default -F _${name} ${name}
`;
}

function zsh(name: string, placed: readonly PlacedNode[]): string {
  return `#compdef ${name}
# zsh completion for ${name}: source <(${name} completion zsh), or into a file _${name} of your fpath
_${name}() {
  local at= i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${descents(placed)}) at="\${at:+$at }\${words[i]}" ;;
    esac
  done
  case "$at:\${words[CURRENT-1]}" in
${valueCases(placed, (words) => `compadd -- ${words.map(quoted).join(' ')}; return`, '_files; return')}
  esac
  local -a candidates
  case "$at" in
${placed.map(({ path, node }) => `    ${quoted(path.join(' '))}) candidates=(${described(node).map(quoted).join(' ')}) ;;`).join('\n')}
  esac
  _describe ${name} candidates || _files
}
if [ "$funcstack[1]" = _${name} ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function fish(name: string, placed: readonly PlacedNode[]): string {
  const lines = placed.flatMap(({ path, node }) => {
    const where = `complete -c ${name} -n ${fishQuoted(`test (__${name}_at) = ${fishQuoted(path.join(' '))}`)}`;
    return [
      ...node.commands.map((each) => `${where} -f -a ${each.name} -d ${fishQuoted(each.description)}`),
      ...(node.choices.length > 0 ? [`${where} -f -a ${fishQuoted(node.choices.join(' '))}`] : []),
      ...node.options.map((option) => `${where} ${fishOption(option)}`),
    ];
  });
  return `# fish completion for ${name}: ${name} completion fish | source
function __${name}_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${descentsOf(placed).map(fishQuoted).join(' ')}
        set at (string trim "$at $word")
    end
  end
  echo "$at"
end
${lines.join('\n')}
`;
}

function fishOption({ flags, description, takesValue, choices }: WordOption): string {
  const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `${named.join(' ')}${value} -d ${fishQuoted(description)}`;
}

/** "path, word" of each word that leads to a subcommand. */
function descentsOf(placed: readonly PlacedNode[]): readonly string[] {
  return placed.flatMap(({ path }) =>
    path.length === 0 ? [] : [`${path.slice(0, -1).join(' ')} ${path.at(-1) ?? ''}`],
  );
}

function descents(placed: readonly PlacedNode[]): string {
  return descentsOf(placed).map(quoted).join('|');
}

/** After an option that takes a value: one of its choices, or `otherwise`. */
function valueCases(
  placed: readonly PlacedNode[],
  choose: (words: readonly string[]) => string,
  otherwise: string,
): string {
  const lines = placed.flatMap(({ path, node }) =>
    node.options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const when = flags.map((flag) => quoted(`${path.join(' ')}:${flag}`)).join('|');
        return `    ${when}) ${choices.length > 0 ? choose(choices) : otherwise} ;;`;
      }),
  );
  return lines.join('\n');
}

function wordsOf({ commands, choices, options }: WordNode): readonly string[] {
  return [...commands.map(({ name }) => name), ...choices, ...options.flatMap(({ flags }) => flags.slice(-1))];
}

/** "word:description"; a colon in the word is escaped, since it would end the word. */
function described({ commands, choices, options }: WordNode): readonly string[] {
  return [
    ...commands.map(({ name, description }) => `${name}:${description}`),
    ...choices,
    ...options.flatMap(({ flags, description }) => flags.slice(-1).map((flag) => `${flag}:${description}`)),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
