/** The default kubeconfig: the one that kubectl uses. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { invalidOption } from '../../shared/core/fault.ts';

export function usualKubeconfig(): string {
  const [first, second] = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (second !== undefined)
    throw invalidOption('KUBECONFIG names several files; name the one of the hub with --kubeconfig');
  const usual = join(homedir(), '.kube', 'config');
  if (first === undefined && !existsSync(usual))
    throw invalidOption(`no hub is named, and there is no ${usual}; name the hub's kubeconfig with --kubeconfig`);
  return first ?? usual;
}
