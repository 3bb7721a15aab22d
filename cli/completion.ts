/** `evenkeel completion`: prints the script that completes evenkeel in a shell; `evenkeel complete` answers it. */
import { Argument, type Command } from 'commander';
import { complete } from './completion/complete.ts';
import { type Shell, shellScript, shells } from './completion/shell-scripts.ts';

const after = `
Commands, options and their choices are completed, and the names of hubs, clusters, workloads, policies, runs and
namespaces: of the hub of your kubeconfig, or of the deployment that the command reads. A hub that does not answer
within two seconds completes nothing.

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
      process.stdout.write(shellScript(shell));
    });
  evenkeel
    .command('complete', { hidden: true })
    .description('print the words that may follow, for the scripts of completion')
    .argument('[word...]')
    .addHelpText('after', '\nExamples:\n  evenkeel complete -- drain mem')
    .action((words: readonly string[]) => complete(evenkeel, words));
}
