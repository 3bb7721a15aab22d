/** `evenkeel completion`: prints the shell completion of commands, options and their choices. */
import { Argument, type Command } from 'commander';
import { type Shell, shellScript, shells } from './completion/shell-scripts.ts';
import { wordTree } from './completion/word-tree.ts';

const after = `
Examples:
  source <(evenkeel completion bash)             now; for good, add this line to ~/.bashrc
  evenkeel completion zsh > "\${fpath[1]}/_evenkeel"
  evenkeel completion fish > ~/.config/fish/completions/evenkeel.fish`;

export function registerCompletion(evenkeel: Command): void {
  evenkeel
    .command('completion')
    .description('print the script that completes evenkeel in a shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', after)
    .action((shell: Shell) => {
      // By the name of the command, not the name of the executable.
      process.stdout.write(shellScript(shell, { ...wordTree(evenkeel), name: 'evenkeel' }));
    });
}
