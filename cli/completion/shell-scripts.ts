/** Completion scripts for bash, zsh and fish: at each key press they ask `evenkeel complete`. */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Words are passed as arguments, so that nothing that is typed is evaluated before Enter. */
const scripts: Readonly<Record<Shell, string>> = {
  bash: String.raw`# bash completion for evenkeel: source <(evenkeel completion bash)
_evenkeel() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line == :* ]] || COMPREPLY+=("${'$'}{line%%$'\t'*}")
  done < <(evenkeel complete -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _evenkeel evenkeel
`,
  zsh: String.raw`#compdef evenkeel
# zsh completion for evenkeel: source <(evenkeel completion zsh), or into a file _evenkeel of your fpath
_evenkeel() {
  local line
  local -a candidates
  while IFS= read -r line; do
    [[ $line == :* ]] || candidates+=("${'$'}{${'$'}{line//:/\\:}/$'\t'/:}")
  done < <(evenkeel complete -- "${'$'}{(@Q)words[2,CURRENT]}" 2>/dev/null)
  if (( $#candidates )); then _describe evenkeel candidates; else _files; fi
}
if [ "$funcstack[1]" = _evenkeel ]; then _evenkeel "$@"; else compdef _evenkeel evenkeel; fi
`,
  fish: String.raw`# fish completion for evenkeel: evenkeel completion fish | source
function __evenkeel_complete
  set -l lines (evenkeel complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null | string match -v ':*')
  if set -q lines[1]
    printf '%s\n' $lines
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c evenkeel -f -a '(__evenkeel_complete)'
`,
};

export function shellScript(shell: Shell): string {
  return scripts[shell];
}
